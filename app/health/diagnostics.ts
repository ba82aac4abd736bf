import { existsSync, statSync } from 'node:fs'
import { statfs } from 'node:fs/promises'
import { connect } from 'node:net'
import { resolve } from 'node:path'
import db from '@adonisjs/lucid/services/db'
import { MigrationRunner } from '@adonisjs/lucid/migration'
import type { ApplicationService } from '@adonisjs/core/types'
import env from '#start/env'
import { isHttps, appUrl } from '#config/app'
import store from '#auth/store/service'
import { measureHashRate } from '#auth/passwords/calibration'
import { countMails } from '#mails/mail_log'
import { selectRows } from '#database/select_rows'
import { KEYRINGS, secretsFile } from '#setup/secrets'

/** What a check found, and what to do about it. */
export interface CheckResult {
  subject: string
  state: 'ok' | 'warning' | 'fault'
  result: string
  remedy?: string
}

type Check = (app: ApplicationService) => Promise<Omit<CheckResult, 'subject'>>

const ok = (result: string) => ({ state: 'ok', result }) as const
const warning = (result: string, remedy: string) => ({ state: 'warning', result, remedy }) as const
const fault = (result: string, remedy: string) => ({ state: 'fault', result, remedy }) as const

const isServer = env.get('DB_CONNECTION') === 'pg'

const configuration: Check = async () => {
  if (isHttps) return ok(`serves ${appUrl}`)
  const isLocal = /^http:\/\/(localhost|127\.|\[::1\])/.test(appUrl)
  if (isLocal) return ok(`serves ${appUrl}, on this machine`)
  return warning(
    `${appUrl} is plain http`,
    'Put a proxy with TLS in front and set APP_URL to https.'
  )
}

const proxies: Check = async () => {
  if (!isHttps || env.get('TRUSTED_PROXIES').length > 0) return ok('client addresses are known')
  return warning(
    'https, but no proxy is trusted',
    'Set TRUSTED_PROXIES to the network of your proxy.'
  )
}

const secrets: Check = async () => {
  const file = secretsFile(env.get('DATA_DIR'))
  const entries = KEYRINGS.map((name) => (env.get(name as 'APP_KEY') as string[]).length)
  if (!existsSync(file)) return ok(`${KEYRINGS.length} rings from the environment`)
  const mode = statSync(file).mode & 0o777
  if (mode === 0o600)
    return ok(`${KEYRINGS.length} rings, ${entries.reduce((a, b) => a + b)} entries, mode 0600`)
  return fault(`secrets.json has mode 0${mode.toString(8)}`, `chmod 600 ${file}`)
}

const database: Check = async () => {
  const sql = isServer ? 'SHOW server_version' : 'SELECT sqlite_version() AS server_version'
  const [{ server_version: version }] = await selectRows<{ server_version: string }>(
    db.connection(),
    sql,
    []
  )
  const isOld = isServer && Number.parseInt(version) < 13
  const name = isServer ? 'Postgres' : 'SQLite'
  return isOld
    ? fault(`Postgres ${version}`, 'Use Postgres 13 or newer.')
    : ok(`${name} ${version}`)
}

const migrations: Check = async (app) => {
  const runner = new MigrationRunner(await app.container.make('lucid.db'), app, { direction: 'up' })
  const list = await runner.getList()
  const pending = list.filter(({ status }) => status === 'pending')
  if (pending.length === 0) return ok('the tables are up to date')
  return fault(
    `${pending.length} migrations are pending`,
    'Start with AUTO_MIGRATE=true, or run migration:run.'
  )
}

/** The migration leaves the index out where it may not create the extension. */
const search: Check = async () => {
  if (!isServer) return ok('trigrams of names are indexed')
  const index = await selectRows(db.connection(), `SELECT to_regclass('users_names') AS name`, [])
  const { name } = index[0] as { name: string | null }
  if (name) return ok('trigrams of names are indexed')
  return warning(
    'searching users reads the whole table',
    'CREATE EXTENSION pg_trgm; then the index of migration 0011.'
  )
}

const clock: Check = async () => {
  const sql = isServer
    ? 'SELECT extract(epoch FROM clock_timestamp()) * 1000 AS now'
    : "SELECT unixepoch('subsec') * 1000 AS now"
  const [{ now }] = await selectRows<{ now: string }>(db.connection(), sql, [])
  const skew = Math.abs(Date.now() - Number(now))
  if (skew < 2_000) return ok(`within ${Math.round(skew)} ms of the database`)
  return fault(
    `${Math.round(skew / 1_000)} s away from the database`,
    'Synchronise the clocks, such as with chrony.'
  )
}

const tokenStore: Check = async () => {
  await store.ping()
  const warnings = await store.warnings()
  if (warnings.length === 0) return ok(`${store.driver} answers`)
  return warning(warnings.join('; '), 'See docs/deploy.md on Redis.')
}

const mail: Check = async () => {
  const { failed, queued } = await countMails()
  const waiting = `${queued} waiting, ${failed} failed`
  if (env.get('MAIL_MAILER') === 'outbox') {
    return warning(
      `mails become files in the outbox (${waiting})`,
      'Set MAIL_MAILER=smtp to send them.'
    )
  }
  if (!(await answers(env.get('SMTP_HOST'), env.get('SMTP_PORT')))) {
    return fault('the SMTP server does not answer', 'Check SMTP_HOST and SMTP_PORT.')
  }
  if (failed === 0) return ok(`the SMTP server answers (${waiting})`)
  return warning(waiting, 'See mail:list --status=failed, then mail:retry.')
}

function answers(host: string, port: number) {
  return new Promise<boolean>((done) => {
    const socket = connect({ host, port, timeout: 3_000 })
    const end = (isUp: boolean) => {
      socket.destroy()
      done(isUp)
    }
    socket
      .once('connect', () => end(true))
      .once('error', () => end(false))
      .once('timeout', () => end(false))
  })
}

const disk: Check = async () => {
  const { bavail, bsize } = await statfs(resolve(env.get('DATA_DIR')))
  const free = Math.round((bavail * bsize) / 1_048_576)
  return free >= 512 ? ok(`${free} MB free`) : fault(`${free} MB free`, 'Make room in DATA_DIR.')
}

const hashing: Check = async () => {
  const rate = Math.round(await measureHashRate())
  if (rate >= 20) return ok(`${rate} password checks a second`)
  return warning(`${rate} password checks a second`, 'Give the process more or quicker cores.')
}

const CHECKS: [string, Check][] = [
  ['configuration', configuration],
  ['proxies', proxies],
  ['secrets', secrets],
  ['database', database],
  ['migrations', migrations],
  ['search', search],
  ['clock', clock],
  ['store', tokenStore],
  ['mail', mail],
  ['disk', disk],
  ['hashing', hashing],
]

/** Checks one thing after the other; what cannot be checked is a fault of its own. */
export async function* runDiagnostics(app: ApplicationService): AsyncGenerator<CheckResult> {
  for (const [subject, check] of CHECKS) {
    const result = await check(app).catch((error: Error) =>
      fault(error.message, 'Is it running, and reachable from here?')
    )
    yield { subject, ...result }
  }
}
