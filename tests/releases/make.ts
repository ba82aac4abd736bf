import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { spawn } from 'node:child_process'
import { join, resolve } from 'node:path'
import { text } from 'node:stream/consumers'
import { parseArgs } from 'node:util'
import { zstdCompressSync } from 'node:zlib'
import Sqlite from 'better-sqlite3'
import { generate } from 'otplib'
import { Authenticator } from '#tests/support/authenticator'
import { cleanEnvironment, newDataDir, Product } from '../process/product.ts'
import { PASSWORD, prove, RELEASE_SETTINGS, type ReleaseContents } from './contents.ts'

/*
 | Makes the fixture of a release from a folder with its product: the database, its secrets and
 | what it holds. With `--recipient` also the backup that goes into Postgres. See README.md.
 */

const { values } = parseArgs({
  options: {
    product: { type: 'string', default: join(import.meta.dirname, '../..') },
    name: { type: 'string' },
    recipient: { type: 'string' },
  },
})

const folder = join(import.meta.dirname, values.name!)
const dataDir = newDataDir()
const command = { program: [process.execPath], folder: resolve(values.product) }
const ADMIN = { email: 'admin@example.org', password: PASSWORD }
const settings = {
  ...RELEASE_SETTINGS,
  ADMIN_EMAIL: ADMIN.email,
  ADMIN_PASSWORD: ADMIN.password,
}

async function ace(args: string[]) {
  const env = { ...cleanEnvironment(), ...settings, DATA_DIR: dataDir, LOG_LEVEL: 'error' }
  const program = ['bin/launch.js', 'ace', ...args]
  const child = spawn(process.execPath, program, { cwd: command.folder, env })
  const [output, errors] = await Promise.all([text(child.stdout), text(child.stderr)])
  if (!output) throw new Error(`${args.join(' ')}: ${errors}`)
  return JSON.parse(output)
}

const product = await Product.spawn(settings, dataDir, command)
await product.answers('/health/ready', 300_000)

async function tokenOf(email: string, more: object = {}) {
  const { body } = await product.ask('/auth/login', {
    body: { email, password: PASSWORD, ...more },
  })
  return body.accessToken as string
}

async function register(name: string) {
  const email = `${name}@example.org`
  const body = { email, username: name, password: PASSWORD }
  const { status, body: user } = await product.ask('/auth/register', { body })
  if (status !== 201) throw new Error(`${name}: ${status} ${JSON.stringify(user)}`)
  return { id: user.id as string, email }
}

async function change(path: string, body: object, method = 'POST') {
  const token = await tokenOf(ADMIN.email)
  const answer = await product.ask(path, { method, body, token })
  if (answer.status >= 300) throw new Error(`${path}: ${JSON.stringify(answer.body)}`)
  return answer.body
}

async function enrol(email: string) {
  const token = await tokenOf(email)
  const { body: setup } = await product.ask('/auth/mfa/setup', { body: {}, token })
  const code = await generate({ secret: setup.secret })
  const { body } = await product.ask('/auth/mfa/enable', { body: { code }, token })
  return { secret: setup.secret as string, backupCodes: body.backupCodes as string[] }
}

async function addPasskey(email: string) {
  const token = await tokenOf(email)
  const path = '/auth/passkeys/registration-options'
  const { body: options } = await product.ask(path, { body: {}, token })
  const authenticator = new Authenticator()
  const response = authenticator.create(options)
  const { status } = await product.ask('/auth/passkeys', { body: { response }, token })
  if (status !== 201) throw new Error(`a passkey: ${status}`)
  return authenticator.saved
}

async function fill(): Promise<ReleaseContents> {
  const users = await Promise.all(['plain', 'code', 'passkey', 'disabled', 'locked'].map(register))
  const [plain, withCode, withPasskey, disabled, locked] = users
  const group = 'Staff/Berlin'
  const { id: groupId } = await change('/groups', { name: group })
  await change(`/groups/${groupId}/members/${plain.id}`, {}, 'PUT')
  const { id: robot } = await ace(['user:create', '--service', '--username=Robot', '--json'])
  const flags = ['--grants=client_credentials', `--service-account=${robot}`, '--json']
  const scopes = '--scopes=openid,profile'
  const { clientId, clientSecret } = await ace(['client:create', '--name=Robot', scopes, ...flags])
  const { key } = await ace([
    'key:create',
    ADMIN.email,
    '--name=Nightly',
    '--scopes=users:read',
    '--json',
  ])
  const enrolled = await enrol(withCode.email)
  const passkey = await addPasskey(withPasskey.email)
  await ace(['user:disable', disabled.email, '--json'])
  await ace(['user:lock', locked.email, '--for=3650d', '--json'])
  const emails = users.map(({ email }) => email)
  const [one, two, three, four, five] = emails
  const names = { plain: one, code: two, passkey: three, disabled: four, locked: five }
  const client = { clientId, clientSecret }
  return {
    admin: { email: ADMIN.email },
    users: names,
    ...enrolled,
    passkey,
    apiKey: key,
    group,
    client,
  }
}

const contents = await fill()
await product.stop()
mkdirSync(folder, { recursive: true })
const database = new Sqlite(join(dataDir, 'gatehouse.sqlite'))
database.pragma('wal_checkpoint(TRUNCATE)')
database.exec('VACUUM')
database.close()
const bytes = readFileSync(join(dataDir, 'gatehouse.sqlite'))
writeFileSync(join(folder, 'gatehouse.sqlite.zst'), zstdCompressSync(bytes))
copyFileSync(join(dataDir, 'secrets.json'), join(folder, 'secrets.json'))
writeFileSync(join(folder, 'contents.json'), `${JSON.stringify(contents, null, 2)}\n`)
if (values.recipient) {
  const output = join(folder, 'backup.tar.zst.age')
  await ace(['backup:create', `--recipient=${values.recipient}`, `--output=${output}`, '--json'])
}
const again = await Product.spawn(settings, dataDir, command)
await again.answers('/health/ready', 60_000)
console.log(await prove(again, contents))
await again.remove()
