import db from '@adonisjs/lucid/services/db'
import settings from '#config/mfa'
import User from '#models/user'
import { anonymousActor } from '#audit/actor'
import { record } from '#events/record'
import { deviceName } from '#auth/sessions/device'
import { yieldToEventLoop } from '#database/batches'
import { selectRows } from '#database/select_rows'
import type { Transaction } from '#database/transaction'

// An abandoned challenge began with the right password or at a provider, perhaps by an attacker
// without a code. A mail and the trail tell the owner about the first abandoned one of a day.

const DAY_MS = 24 * 3_600_000

/** Limits the users of one query. Each user has a separate transaction. */
const BATCH_SIZE = 200

interface ExpiredChallenge {
  method: string
  ip: string
  user_agent: string | null
  is_answered: boolean | number
  expires_at: number | string
}

export async function endExpiredChallenges(now: number) {
  let removed = 0
  for (;;) {
    const expired = db.from('mfa_challenges').where('expires_at', '<=', now)
    const users = await expired.distinct('user_id').limit(BATCH_SIZE)
    for (const { user_id: userId } of users) {
      removed += await db.transaction((trx) => endChallengesOf(userId, now, trx))
      await yieldToEventLoop()
    }
    if (users.length < BATCH_SIZE) return removed
  }
}

// Locks the user's row first, as a sign-in does, so that one process gets each challenge.
async function endChallengesOf(userId: string, now: number, trx: Transaction) {
  const user = await User.lockForUpdate(userId, trx)
  const expired = await selectRows<ExpiredChallenge>(
    trx,
    `DELETE FROM mfa_challenges WHERE user_id = ? AND expires_at <= ?
     RETURNING method, ip, user_agent, is_answered, expires_at`,
    [userId, now]
  )
  const abandoned = expired.find((challenge) => !challenge.is_answered)
  if (user && abandoned && (await claimDailyWarning(userId, now, trx))) {
    await recordAbandoned(user, abandoned, trx)
  }
  return expired.length
}

async function claimDailyWarning(userId: string, now: number, trx: Transaction) {
  const first = await trx
    .from('users')
    .where('id', userId)
    .where((none) =>
      none.whereNull('mfa_abandoned_at').orWhere('mfa_abandoned_at', '<=', now - DAY_MS)
    )
    .update({ mfa_abandoned_at: now })
  return Number(first) === 1
}

async function recordAbandoned(user: User, challenge: ExpiredChallenge, trx: Transaction) {
  const { method, ip, user_agent: userAgent } = challenge
  const startedAt = new Date(Number(challenge.expires_at) - settings.challengeTtlMs).toISOString()
  const context = { deviceName: deviceName(userAgent), ip, startedAt }
  const about = { user, actor: anonymousActor({ ip, userAgent }), outcome: 'failure' } as const
  await record(trx, { ...about, type: 'login.abandoned', details: { method }, context })
}
