import db from '@adonisjs/lucid/services/db'
import { anonymousActor } from '#audit/actor'
import { recordCoalesced } from '#events/record'
import { queueMail } from '#mails/queue/queue_mail'
import { type PasskeyRow } from './passkey_rows.ts'
import { claimDailyWarning } from './store_passkey.ts'
import type { RequestSource } from '#auth/sessions/device'
import type User from '#models/user'

/** Recorded only in the trail, because a client must not learn what was wrong. */
export type RefusalCause = 'challenge' | 'origin' | 'unknown' | 'user' | 'signature'

interface RefusedPasskey {
  cause: RefusalCause
  /** The owner of the passkey that the response named. */
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

/** Warns the owner: a counter that did not rise means that an attacker may have copied the key. */
export async function recordRefusedCounter(
  user: User,
  { id, name }: PasskeyRow,
  from: RequestSource
) {
  const details = { passkeyId: id, name }
  const about = { user, actor: anonymousActor(from), outcome: 'failure' } as const
  await recordCoalesced({ ...about, type: 'passkey.counter_refused', details }, [id])
  // Separate from the event: a window records one event, but a day sends only one mail.
  await db.transaction(async (trx) => {
    if (!(await claimDailyWarning(id, Date.now(), trx))) return
    const { id: userId, email: recipient } = user
    const contents = { passkeyName: name }
    await queueMail({ kind: 'passkey_copied', recipient, userId, contents }, trx)
  })
}
