import db from '@adonisjs/lucid/services/db'
import logger from '@adonisjs/core/services/logger'
import { mailedAdministrators } from '#auth/administrators'
import { queueMail } from '#mails/queue/queue_mail'
import { hasCapacity } from './capacity.ts'
import { readCursors, type Cursor } from './cursors.ts'

/* If no deliveries are cut, receivers do not learn of events, although nothing fails. */

export const STALL_MS = 10_000

const MAIL_AFTER_MS = 300_000

const MAIL_EVERY_MS = 86_400_000

/** Returns milliseconds; 0 while all sealed events are cut, or an endpoint has no room for more. */
export async function findDispatchLag(now = Date.now()) {
  const { head, cursors } = await readCursors(db.connection())
  const lags: number[] = []
  for (const cursor of cursors) {
    if (cursor.cut !== null && cursor.cut < head) lags.push(await lagOf(cursor, now))
  }
  return Math.max(0, ...lags)
}

/** A replay sets the cursor back to old events: the lag then counts from the replay. */
async function lagOf({ id, cut, cutAt }: Cursor, now: number) {
  const next = await db
    .from('audit_events')
    .where('sequence', '>', cut!)
    .orderBy('sequence')
    .select('occurred_at')
    .first()
  if (!next || !(await hasCapacity(id, db.connection()))) return 0
  return now - Math.max(Number(next.occurred_at), cutAt ?? 0)
}

let isTold = false

/** Logs the start and the end of a stall; administrators get at most one mail a day. */
export async function watchDispatch(now = Date.now()) {
  const lag = await findDispatchLag(now)
  if (lag <= STALL_MS) {
    if (isTold) logger.info('deliveries of webhooks are cut again')
    isTold = false
    return
  }
  const seconds = Math.floor(lag / 1_000)
  if (!isTold) logger.error({ seconds }, 'no deliveries of webhooks are cut: doctor says more')
  isTold = true
  if (lag > MAIL_AFTER_MS) await mailAdministrators(now - lag, now)
}

/** The update decides which of several processes sends the mail. */
function mailAdministrators(since: number, now: number) {
  return db.transaction(async (trx) => {
    const told = trx
      .from('webhook_state')
      .where('id', 1)
      .where('told_at', '<=', now - MAIL_EVERY_MS)
    if (Number(await told.update({ told_at: now })) !== 1) return
    const contents = { stalledSince: new Date(since).toISOString() }
    for (const { id: userId, email: recipient } of await mailedAdministrators(trx)) {
      await queueMail({ kind: 'webhooks_stalled', userId, recipient, contents }, trx)
    }
  })
}
