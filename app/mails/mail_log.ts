import { validate as isUuid } from 'uuid'
import db from '@adonisjs/lucid/services/db'
import { E_NOT_FOUND } from '#exceptions/http_errors'
import { recordAudit } from '#audit/trail'
import { enqueueDelivery } from './queue_mail.ts'
import type { TemplateName } from './templates.ts'
import type { Actor } from '#audit/actor'
import type { Transaction } from '#database/transaction'

/** How long it is shown that a mail was sent. */
const KEPT_MS = 30 * 24 * 3_600_000

export const MAIL_STATUSES = ['queued', 'sent', 'failed'] as const
export type MailStatus = (typeof MAIL_STATUSES)[number]

/** A mail as operators see it: where it stands, never what it says. */
export interface MailRecord {
  id: string
  userId: string | null
  kind: TemplateName
  recipient: string
  status: MailStatus
  attempts: number
  lastError: string | null
  createdAt: string
  sentAt: string | null
}

const COLUMNS = [
  'id',
  'user_id',
  'kind',
  'recipient',
  'status',
  'attempts',
  'last_error',
  'created_at',
  'sent_at',
]

function toRecord(row: any): MailRecord {
  return {
    id: row.id,
    userId: row.user_id,
    kind: row.kind,
    recipient: row.recipient,
    status: row.status,
    attempts: row.attempts,
    lastError: row.last_error,
    createdAt: new Date(Number(row.created_at)).toISOString(),
    sentAt: row.sent_at ? new Date(Number(row.sent_at)).toISOString() : null,
  }
}

interface MailFilter {
  status?: MailStatus
  recipient?: string
  page?: number
  limit?: number
}

/** Mails, the newest first, with how many there are in all. */
export async function listMails({ status, recipient, page = 1, limit = 20 }: MailFilter = {}) {
  const query = db.from('mails')
  if (status) query.where('status', status)
  if (recipient) query.where('recipient', recipient)
  const [{ total }] = await query.clone().count('* as total')
  const rows = await query
    .orderBy('id', 'desc')
    .offset((page - 1) * limit)
    .limit(limit)
    .select(COLUMNS)
  return { data: rows.map(toRecord), meta: { total: Number(total), page, limit } }
}

/** One mail; null when there is none of that id. */
export async function findMail(id: string) {
  if (!isUuid(id)) return null
  const row = await db.from('mails').where('id', id).select(COLUMNS).first()
  return row ? toRecord(row) : null
}

/** How many mails stand where. */
export async function countMails(): Promise<Record<MailStatus, number>> {
  const rows = await db.from('mails').groupBy('status').select('status').count('* as total')
  const totals = Object.fromEntries(rows.map((row) => [row.status, Number(row.total)]))
  return { queued: 0, sent: 0, failed: 0, ...totals }
}

/**
 * Queues a failed mail anew, with all its tries and a fresh link; false when it had not
 * failed. The update decides, so that two who ask at once send it once.
 *
 * @throws E_NOT_FOUND
 */
export async function retryMail(id: string, actor: Actor) {
  const mail = await findMail(id)
  if (!mail) throw new E_NOT_FOUND(`No mail has the id ${id}`)
  return db.transaction(async (trx) => {
    const requeued = await trx
      .from('mails')
      .where({ id, status: 'failed' })
      .update({ status: 'queued', attempts: 0 })
    if (Number(requeued) !== 1) return false
    await enqueueDelivery(id, trx)
    const { kind, userId: targetId } = mail
    await recordAudit({ action: 'mail.retried', actor, targetId, details: { kind } }, trx)
    return true
  })
}

/** Forgets what was sent long ago, and tells how many mails that were. */
export async function pruneMails(now = Date.now()) {
  const old = db
    .from('mails')
    .where('status', 'sent')
    .where('sent_at', '<', now - KEPT_MS)
  return Number(await old.delete())
}

/** Forgets the mails to a user that goes; what waits is still told. */
export async function forgetMails(userId: string, trx: Transaction) {
  await trx.from('mails').where('user_id', userId).whereNot('status', 'queued').delete()
}
