import db from '@adonisjs/lucid/services/db'
import { JOBS_TABLE, MAIL_QUEUE } from '#config/queue'
import { wakeWorker } from '#queue/workers'

/** Returns the answer of the mail server to the newest deferred mail; null without one. */
export async function findDeliveryProblem(): Promise<string | null> {
  const row = await db
    .from('mails')
    .where('status', 'queued')
    .where('attempts', '>', 0)
    .whereNotNull('last_error')
    .orderBy('id', 'desc')
    .select('last_error')
    .first()
  return row?.last_error ?? null
}

const RECENT_MS = 86_400_000

/** Returns the answer to the newest finished mail if it failed within a day; otherwise null. */
export async function findRecentFailure(): Promise<string | null> {
  const newest = await db
    .from('mails')
    .whereIn('status', ['sent', 'failed'])
    .orderBy('id', 'desc')
    .select('status', 'last_error', 'created_at')
    .first()
  const isRecent = Number(newest?.created_at) > Date.now() - RECENT_MS
  return newest?.status === 'failed' && isRecent ? (newest.last_error ?? '') : null
}

/** Load balancers ask every second, and a problem lasts longer. */
const CACHE_MS = 2_000

let cached: { hasProblem: boolean; at: number } | undefined

export async function hasDeliveryProblem() {
  if (cached && Date.now() - cached.at < CACHE_MS) return cached.hasProblem
  const problem = await findDeliveryProblem().catch(() => null)
  cached = { hasProblem: problem !== null, at: Date.now() }
  return cached.hasProblem
}

/**
 * A test mail that was sent shows that the server is back: deferred mails need not wait an hour.
 */
export async function retryDeferredMails() {
  const deferred = db.from(JOBS_TABLE).where({ queue: MAIL_QUEUE, status: 'delayed' })
  await deferred.update({ execute_at: Date.now() })
  wakeWorker(MAIL_QUEUE)
}
