import { readdir, readFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import db from '@adonisjs/lucid/services/db'
import type User from '#models/user'
import type { Transaction } from '#database/transaction'
import { mailFilesDir } from '#config/mail'
import { JOBS_TABLE, MAIL_QUEUE, type QueueName } from '#config/queue'
import { queueMail } from '#mails/queue/queue_mail'
import { QueueWorker } from '#queue/worker'

/** Delivers what is due, as the worker of a server would, until nothing is left. */
export function deliverMails() {
  return drain(MAIL_QUEUE)
}

export async function drain(queue: QueueName) {
  const worker = new QueueWorker(queue)
  await worker.drain()
  await worker.stop()
}

/** Discards queued mails. A test that needs one mail would otherwise deliver thousands. */
export async function discardMails() {
  await db.from(JOBS_TABLE).where('queue', MAIL_QUEUE).delete()
  await db.from('mails').where('status', 'queued').delete()
}

/** Queues one mail to a user, of the kind that most tests use. */
export function queuePasswordChangedMail({ id: userId, email }: User, trx: Transaction) {
  const mail = { kind: 'password_changed', userId, recipient: email, contents: {} } as const
  return queueMail(mail, trx)
}

/** Returns the queue's rows of the mails to an address, oldest first. */
export function mailsTo(recipient: string) {
  return db.from('mails').where('recipient', recipient).orderBy('id')
}

/** The recipients by file that a test has read: a mail that is sent again has the same one. */
const recipients = new Map<string, string>()

/** Returns the mail files to an address, oldest first. Of the thousands, each is read one time. */
export async function mailFilesOf(recipient: string, folder = mailFilesDir) {
  const names = await readdir(folder).catch(() => [])
  const paths = names.filter((name) => name.endsWith('.eml')).map((name) => join(folder, name))
  await Promise.all(paths.filter((path) => !recipients.has(path)).map(noteRecipient))
  const found = paths.filter((path) => recipients.get(path) === recipient).sort()
  return Promise.all(found.map(readMail))
}

async function noteRecipient(path: string) {
  recipients.set(path, /^To: (.*)\r$/m.exec(await readFile(path, 'utf8'))?.[1] ?? '')
}

async function readMail(path: string) {
  const [name, raw] = [basename(path), await readFile(path, 'utf8')]
  return { name, raw, kind: name.split('_').slice(1, -1).join('_'), ...partsOf(raw) }
}

/** Returns the number of mail files to each of the addresses. */
export async function countsOf(addresses: string[]) {
  const files = await Promise.all(addresses.map((address) => mailFilesOf(address)))
  return files.map((mails) => mails.length)
}

/** Returns subject and both bodies of a message as we compose it: quoted-printable or plain. */
export function partsOf(raw: string) {
  const boundary = /boundary="([^"]+)"/.exec(raw)![1]
  const [, text, html] = raw.split(`--${boundary}`).map(decodePart)
  return { subject: /^Subject: (.*)$/m.exec(raw)![1].trim(), text, html, token: tokenOf(text) }
}

function decodePart(part: string) {
  const end = part.indexOf('\r\n\r\n')
  const body = part.slice(end + 4)
  if (!/quoted-printable/i.test(part.slice(0, end))) return body
  const joined = body.replace(/=\r\n/g, '')
  const bytes = joined.replace(/=([0-9A-F]{2})/g, (_, hex) =>
    String.fromCharCode(Number.parseInt(hex, 16))
  )
  return Buffer.from(bytes, 'latin1').toString('utf8')
}

function tokenOf(text?: string) {
  return /\?token=([\w-]+)/.exec(text ?? '')?.[1] ?? ''
}

/** Returns the token of the newest mail of a kind that an address has received. */
export async function mailedToken(recipient: string, kind: string) {
  await deliverMails()
  const mails = await mailFilesOf(recipient)
  return mails.findLast((mail) => mail.kind === kind)?.token ?? ''
}
