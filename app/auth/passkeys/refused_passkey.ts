import db from '@adonisjs/lucid/services/db'
import { anonymousActor } from '#audit/actor'
import { recordCoalesced } from '#events/record'
import { queueMail } from '#mails/queue/queue_mail'
import { warnOnceADay, type PasskeyRow } from './passkey_rows.ts'
import type { RequestSource } from '#auth/sessions/device'
import type User from '#models/user'

/** What was wrong with a response: only the trail tells. */
export type RefusalCause = 'challenge' | 'origin' | 'unknown' | 'user' | 'signature'

interface RefusedPasskey {
  cause: RefusalCause
  /** Whose passkey the response named. */
  userId: string | null
  from: RequestSource
}

export async function recordRefusedPasskey({ cause, userId, from }: RefusedPasskey) {
  const details = { method: 'passkey', reason: 'passkey', cause }
  const user = userId ? { id: userId } : null
  const about = { user, actor: anonymousActor(from), outcome: 'failure' } as const
  await recordCoalesced({ ...about, type: 'login.refused', details }, [
    'passkey',
    cause,
    userId ?? '',
  ])
}

/**
 * Records a response that was right but for its counter, which went back or stood still: the
 * key was copied, and somebody else may have it. The owner hears of the first of a day by mail.
 */
export async function recordRefusedCounter(
  user: User,
  { id, name }: PasskeyRow,
  from: RequestSource
) {
  const details = { passkeyId: id, name }
  const about = { user, actor: anonymousActor(from), outcome: 'failure' } as const
  await recordCoalesced({ ...about, type: 'passkey.counter_refused', details }, [id])
  // Once a day, where the event is recorded once a window: no event causes it.
  await db.transaction(async (trx) => {
    if (!(await warnOnceADay(id, Date.now(), trx))) return
    const { id: userId, email: recipient } = user
    const contents = { passkeyName: name }
    await queueMail({ kind: 'passkey_copied', recipient, userId, contents }, trx)
  })
}
