import env from '#start/env'
import { invalidField } from '#exceptions/http_errors'
import { isInEnv, isLocked, storedValue, type WritableSetting } from './definitions.ts'
import { decryptSettingSecret } from './secrets.ts'
import type { SettingRow } from './setting_rows.ts'

/* Determines the server that mails go to, from setting rows that were read together. */

export interface MailServer {
  mailer: 'outbox' | 'smtp'
  from: string
  host: string
  port: number
  username: string | undefined
  password: string | undefined
}

function valueOf(name: WritableSetting, rows: SettingRow[]) {
  const row = isLocked(name) ? undefined : rows.find(({ key }) => key === name)
  return (row && storedValue(name, row.value)) ?? env.get(name)
}

export function mailServerOf(rows: SettingRow[]): MailServer {
  const host = valueOf('SMTP_HOST', rows) as string
  const port = valueOf('SMTP_PORT', rows) as number
  return {
    mailer: mailerOf(rows),
    from: valueOf('MAIL_FROM', rows) as string,
    host,
    port,
    username: valueOf('SMTP_USERNAME', rows) as string | undefined,
    password: passwordFor(serverName(host, port), rows) ?? undefined,
  }
}

/** Without `MAIL_MAILER`, a named SMTP server is used. */
function mailerOf(rows: SettingRow[]) {
  const isNamed = !isLocked('SMTP_HOST') && rows.some(({ key }) => key === 'SMTP_HOST')
  return isNamed && !isInEnv('MAIL_MAILER') ? 'smtp' : env.get('MAIL_MAILER')
}

function passwordFor(server: string, rows: SettingRow[]) {
  if (isInEnv('SMTP_PASSWORD')) return env.get('SMTP_PASSWORD')
  const row = rows.find(({ key }) => key === 'SMTP_PASSWORD')
  return row && decryptSettingSecret(row, server)
}

export function serverName(host: string, port: number) {
  return `${host.toLowerCase()}:${port}`
}

/** A stored password goes only to the server that it was saved with. @throws E_VALIDATION_ERROR */
export function assertPasswordFits(rows: SettingRow[]) {
  const { mailer, password } = mailServerOf(rows)
  const isStored = rows.some(({ key }) => key === 'SMTP_PASSWORD')
  if (!isStored || mailer === 'outbox' || password !== undefined) return
  const message = 'The SMTP_PASSWORD setting must be sent again for another server, or be null'
  throw invalidField('SMTP_PASSWORD', 'server', message).onPages('configure.invalid.password')
}

const OF_SERVER = ['host', 'port', 'username', 'password'] as const

/** Compares the account as well: at the same relay, another owner could read the mails. */
export function isSameServer(one: MailServer, other: MailServer) {
  if (one.mailer !== other.mailer) return false
  return one.mailer === 'outbox' || OF_SERVER.every((name) => one[name] === other[name])
}
