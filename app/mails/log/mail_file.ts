import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import db from '@adonisjs/lucid/services/db'
import { mailFilesDir } from '#config/mail'
import { settingValue } from '#settings/values/current'
import { assertMay } from '#auth/callers/permissions'
import { assertActive } from '#auth/lock_for_change'
import { hasLiveToken } from '#auth/tokens/one_time_tokens'
import { record } from '#events/record'
import { findMail, listMails } from './mail_log.ts'
import type { Actor } from '#audit/actor'

/** Returns true until a mail server is named. */
export function writesMailFiles() {
  return settingValue('MAIL_MAILER') === 'outbox'
}

export interface NamedMail {
  id: string
  kind: string
  created_at: number | string
}

/** File names sort by time. */
export function mailFileName({ id, kind, created_at: createdAt }: NamedMail) {
  const time = new Date(Number(createdAt)).toISOString().replace(/[:.]/g, '-')
  return `${time}_${kind}_${id}.eml`
}

/** Returns the id of the newest mail with a working link to set a password. */
export async function findLinkMailId(recipient: string) {
  if (!writesMailFiles()) return null
  const { data } = await listMails({ recipient, limit: 10 })
  for (const { id, kind, status } of data) {
    const hasLink = kind === 'invitation' || kind === 'password_reset'
    if (hasLink && (status === 'queued' || (await hasLiveToken(id)))) return id
  }
  return null
}

/**
 * The link may open an account: the trail records each reader.
 * @returns null while there is no file
 * @throws what `assertMay` throws
 */
export async function readMailFile(id: string, actor: Actor) {
  assertMay('mail.read', actor)
  const mail = writesMailFiles() ? await findMail(id) : null
  if (!mail) return null
  const name = mailFileName({ id, kind: mail.kind, created_at: Date.parse(mail.createdAt) })
  const raw = await readFile(join(mailFilesDir, name), 'utf8').catch(() => null)
  if (raw === null) return null
  const { kind, userId } = mail
  const user = userId === null ? null : { id: userId }
  await db.transaction(async (trx) => {
    await assertActive(actor, trx)
    await record(trx, { type: 'mail.read', user, actor, details: { kind } })
  })
  const text = textOf(raw)
  return { ...mail, text, link: linkOf(text), links: text.match(/https?:\/\/\S+/g) ?? [] }
}

function textOf(raw: string) {
  const boundary = /boundary="([^"]+)"/.exec(raw)?.[1]
  const part = boundary ? raw.split(`--${boundary}`)[1] : raw
  const end = part.indexOf('\r\n\r\n')
  const body = part.slice(end + 4).replaceAll('\r\n', '\n')
  const head = part.slice(0, end)
  if (/base64/i.test(head)) return Buffer.from(body, 'base64').toString('utf8')
  return /quoted-printable/i.test(head) ? decode(body) : body
}

/** Quoted-printable (RFC 2045, section 6.7) in UTF-8. */
function decode(body: string) {
  const bytes = body
    .replace(/=\n/g, '')
    .replace(/=([0-9A-F]{2})/g, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16)))
  return Buffer.from(bytes, 'latin1').toString('utf8')
}

function linkOf(text: string) {
  return /https?:\/\/\S+\?token=[\w-]+/.exec(text)?.[0] ?? null
}
