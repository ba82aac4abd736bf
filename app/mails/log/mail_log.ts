import { validate as isUuid } from 'uuid'
import db from '@adonisjs/lucid/services/db'
import { canonicalId } from '#database/canonical_id'
import type { TemplateName } from '#mails/templates/contents'

export const MAIL_STATUSES = ['queued', 'sent', 'failed'] as const
export type MailStatus = (typeof MAIL_STATUSES)[number]

/** A mail as operators see it: its status, never its contents. */
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

interface MailFilter {
  status?: MailStatus
  recipient?: string
  page?: number
  limit?: number
}

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

export async function findMail(id: string) {
  if (!isUuid(id)) return null
  const row = await db.from('mails').where('id', canonicalId(id)).select(COLUMNS).first()
  return row ? toRecord(row) : null
}

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

export async function countMails(): Promise<Record<MailStatus, number>> {
  const rows = await db.from('mails').groupBy('status').select('status').count('* as total')
  const counts = Object.fromEntries(rows.map((row) => [row.status, Number(row.total)]))
  return { queued: 0, sent: 0, failed: 0, ...counts }
}
