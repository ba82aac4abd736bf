import { randomBytes, randomInt } from 'node:crypto'
import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import Sqlite from 'better-sqlite3'
import { Product } from '#tests/process/product'
import { PASSWORD, someEmail } from '#tests/support/users'
import { buildProduct } from './build.ts'

/*
 | `npm run strangers -- --seconds=20`: what clients without an account can cause, route by
 | route, from one address and from many. Each attack has its own product on SQLite. At the end,
 | the rows of each table, the mails to one address, the folder and the log are measured.
 | `docs/security.md` quotes it.
 */

const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '20' },
    clients: { type: 'string', default: '8' },
    only: { type: 'string', default: '' },
  },
})

const VICTIM = 'victim@example.org'
const UNVERIFIED = 'unverified@example.org'
const LONG = 'x'.repeat(500)

interface Attempt {
  path: string
  method?: string
  json?: object
  form?: Record<string, string>
  headers?: Record<string, string>
  hasToken?: boolean
}

const post = (path: string, json: object, headers?: Record<string, string>): Attempt => ({
  path,
  json,
  headers,
})

const form = (path: string, fields: Record<string, string>): Attempt => ({ path, form: fields })

/** A form of a page that has a CSRF token. */
const page = (path: string, fields: Record<string, string>): Attempt => ({
  ...form(path, fields),
  hasToken: true,
})
const get = (path: string, headers?: Record<string, string>): Attempt => ({ path, headers })
const token = () => randomBytes(32).toString('base64url')
const bearer = (text: string) => ({ authorization: `Bearer ${text}` })
const newcomer = () => ({ email: someEmail(), username: 'Ada', password: PASSWORD })

function madeUpPasskey() {
  const id = token()
  const about = { type: 'webauthn.get', challenge: token(), origin: 'http://localhost:3333' }
  const clientDataJSON = Buffer.from(JSON.stringify(about)).toString('base64url')
  const response = { clientDataJSON, authenticatorData: token(), signature: token() }
  return { id, rawId: id, type: 'public-key', clientExtensionResults: {}, response }
}

const ATTACKS: Record<string, () => Attempt> = {
  'sign-in as one': () => post('/auth/login', { email: VICTIM, password: 'Wrong-h0rse!' }),
  'sign-in as anybody': () => post('/auth/login', { email: someEmail(), password: PASSWORD }),
  'sign-in with long names': () =>
    post(
      '/auth/login',
      { email: someEmail(), password: PASSWORD },
      { 'user-agent': token() + LONG, 'x-device-id': token(), 'x-device-token': token() + LONG }
    ),
  'registration': () => post('/auth/register', newcomer()),
  'registration of one address': () => post('/auth/register', { ...newcomer(), email: VICTIM }),
  'forgotten password of one': () => post('/auth/forgot-password', { email: VICTIM }),
  'forgotten password of anybody': () => post('/auth/forgot-password', { email: someEmail() }),
  'page of a forgotten password': () => page('/forgot-password', { email: VICTIM }),
  'page of a sign-in': () => page('/sign-in', { email: someEmail(), password: PASSWORD }),
  'page of a registration': () => page('/sign-up', newcomer()),
  'registration of one on its page': () => page('/sign-up', { ...newcomer(), email: VICTIM }),
  'verification of one': () => post('/auth/verify-email/resend', { email: UNVERIFIED }),
  'verification of anybody': () => post('/auth/verify-email/resend', { email: someEmail() }),
  'made-up links': () => post('/auth/reset-password', { token: token(), newPassword: PASSWORD }),
  'made-up links on pages': () => form('/verify-email/decline', { token: token() }),
  'made-up challenges': () => post('/auth/mfa/verify', { mfaToken: token(), code: '123456' }),
  'made-up refresh tokens': () => post('/auth/refresh', { refreshToken: token() }),
  'made-up access tokens': () => get('/auth/profile', bearer(token())),
  'made-up API keys': () => get('/users', bearer(`gh_${token()}`)),
  'introspection': () => form('/oauth/introspect', { token: token() }),
  'start of an external login': () => get('/auth/external/github'),
  'made-up callbacks': () => get(`/auth/external/github/callback?code=${token()}&state=${token()}`),
  'made-up external codes': () => post('/auth/external/exchange', { code: token() }),
  'challenges of passkeys': () => post('/auth/passkeys/login-options', {}),
  'made-up passkeys': () => post('/auth/passkeys/login', { response: madeUpPasskey() }),
  'pages of a sign-in': () => get('/sign-in'),
  'unknown pages': () => get(`/${token()}`),
  'a broken body': () => ({ path: '/auth/login', json: LONG as unknown as object }),
}

const SETTINGS = {
  GITHUB_CLIENT_ID: 'client',
  GITHUB_CLIENT_SECRET: 'secret',
  LOG_LEVEL: 'info',
}

/** Simulates a botnet, which sends each request from another network. */
const MANY = { TRUSTED_PROXIES: '127.0.0.1' }

function someAddress() {
  return [randomInt(1, 224), randomInt(256), randomInt(256), randomInt(256)].join('.')
}

async function send(product: Product, { path, json, form: fields, headers }: Attempt) {
  const body = json ? JSON.stringify(json) : fields && new URLSearchParams(fields)
  const type = json && { 'content-type': 'application/json' }
  const from = { 'x-forwarded-for': someAddress() }
  const method = body ? 'POST' : 'GET'
  const options = {
    method,
    body,
    redirect: 'manual' as const,
    headers: { ...type, ...from, ...headers },
  }
  const response = await fetch(product.url + path, options)
  await response.arrayBuffer()
  return response.status
}

/** Adds the CSRF token of a page, with its cookies, to an attempt. */
async function securedBy(product: Product, path: string) {
  const shown = await fetch(product.url + path)
  const csrf = /name=['"]_csrf['"] value=['"]([^'"]+)/.exec(await shown.text())![1]
  const cookie = shown.headers.getSetCookie().map((each) => each.split(';')[0])
  return (attempt: Attempt): Attempt => ({
    ...attempt,
    form: { _csrf: csrf, ...attempt.form },
    headers: { cookie: cookie.join('; ') },
  })
}

async function flood(product: Product, next: () => Attempt) {
  const statuses = new Map<number, number>()
  const endsAt = performance.now() + Number(values.seconds) * 1_000
  const { path, hasToken } = next()
  const secured = hasToken ? await securedBy(product, path) : (attempt: Attempt) => attempt
  const client = async () => {
    while (performance.now() < endsAt) {
      const status = await send(product, secured(next()))
      statuses.set(status, (statuses.get(status) ?? 0) + 1)
    }
  }
  await Promise.all(Array.from({ length: Number(values.clients) }, client))
  return statuses
}

function open(dataDir: string) {
  return new Sqlite(join(dataDir, 'gatehouse.sqlite'))
}

/** Moves the log of SQLite into its file, so that the folder is measured without it. */
function settle(dataDir: string) {
  const db = open(dataDir)
  db.pragma('wal_checkpoint(TRUNCATE)')
  db.close()
}

function rowsOf(dataDir: string) {
  const db = open(dataDir)
  const tables = db.prepare("SELECT name FROM sqlite_master WHERE type = 'table'").pluck().all()
  const count = (table: unknown) => db.prepare(`SELECT count(*) FROM "${table}"`).pluck().get()
  const rows = new Map(tables.map((table) => [String(table), Number(count(table))]))
  db.close()
  return rows
}

function mailsTo(dataDir: string, recipient: string) {
  const db = open(dataDir)
  const sent = db.prepare("SELECT count(*) FROM mails WHERE recipient = ? AND status = 'sent'")
  const mails = Number(sent.pluck().get(recipient))
  db.close()
  return mails
}

function bytesOf(folder: string): number {
  const entries = readdirSync(folder, { withFileTypes: true })
  const sizes = entries.map((entry) => {
    const path = join(folder, entry.name)
    return entry.isDirectory() ? bytesOf(path) : statSync(path).size
  })
  return sizes.reduce((sum, size) => sum + size, 0)
}

/** Starts a product with a verified user and one who has not verified the address. */
async function prepared(settings: Record<string, string>) {
  const product = await Product.start({ ...SETTINGS, ...settings })
  for (const email of [VICTIM, UNVERIFIED]) {
    await product.request('/auth/register', { body: { ...newcomer(), email } })
  }
  const db = open(product.dataDir)
  db.prepare('UPDATE users SET email_verified_at = 1 WHERE email = ?').run(VICTIM)
  db.close()
  await wait(2_000)
  settle(product.dataDir)
  return product
}

async function measure(name: string, settings: Record<string, string>) {
  const product = await prepared(settings)
  const { dataDir } = product
  const before = {
    rows: rowsOf(dataDir),
    bytes: bytesOf(dataDir),
    log: product.output.join('').length,
  }
  const mailed = () => mailsTo(dataDir, VICTIM) + mailsTo(dataDir, UNVERIFIED)
  const mails = mailed()
  const statuses = await flood(product, ATTACKS[name])
  await wait(4_000)
  await product.stop()
  const grown = [...rowsOf(dataDir)].map(
    ([table, rows]) => [table, rows - (before.rows.get(table) ?? 0)] as const
  )
  const result = {
    answers: [...statuses]
      .sort(([, a], [, b]) => b - a)
      .map(([status, count]) => `${count} × ${status}`),
    mails: mailed() - mails,
    rows: grown.filter(([table, rows]) => rows > 0 && !/fts|trigram|_data|_idx/.test(table)),
    kilobytes: Math.round((bytesOf(dataDir) - before.bytes) / 1_024),
    log: Math.round((product.output.join('').length - before.log) / 1_024),
  }
  await product.remove()
  return result
}

buildProduct()
console.log('| Attack | From | Answers | Mails to one | New rows | DATA_DIR | Log |')
console.log('| --- | --- | --- | --- | --- | --- | --- |')
for (const name of Object.keys(ATTACKS).filter((each) => each.includes(values.only))) {
  for (const [from, settings] of [
    ['one', {}],
    ['many', MANY],
  ] as const) {
    const { answers, mails, rows, kilobytes, log } = await measure(name, settings)
    const tables = rows.map(([table, count]) => `${table} ${count}`).join(', ')
    const cells = [
      name,
      from,
      answers.join(', '),
      mails,
      tables || '–',
      `${kilobytes} KB`,
      `${log} KB`,
    ]
    console.log(`| ${cells.join(' | ')} |`)
  }
}
