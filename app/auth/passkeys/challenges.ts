import { randomBytes } from 'node:crypto'
import db from '@adonisjs/lucid/services/db'
import settings from '#config/passkeys'
import { hashToken } from '#auth/tokens/hash_token'
import { selectRows } from '#database/select_rows'

/*
 | A challenge proves that an authenticator has answered now, and here. It works once: the
 | DELETE decides, however many requests bring its response at once. This file owns the table
 | `passkey_challenges`.
 */

/** Who may answer a challenge: the session that asked to register, or anybody at a login. */
export interface ChallengeOwner {
  userId: string
  sessionId: string
}

/** 256 random bits; the specification asks for 128 at least (WebAuthn, section 13.4.3). */
export async function issueChallenge(owner?: ChallengeOwner) {
  const challenge = randomBytes(32)
  await db.table('passkey_challenges').insert({
    challenge_hash: hashToken(challenge.toString('base64url')),
    user_id: owner?.userId ?? null,
    session_id: owner?.sessionId ?? null,
    expires_at: Date.now() + settings.challengeTtlMs,
  })
  return challenge
}

/** Uses a challenge up: true for the one caller who deleted it, in time and of this owner. */
export async function useChallenge(challenge: string, owner?: ChallengeOwner) {
  const whose = owner ? 'user_id = :userId AND session_id = :sessionId' : 'user_id IS NULL'
  const [row] = await selectRows<{ expires_at: number | string }>(
    db.connection(),
    `DELETE FROM passkey_challenges WHERE challenge_hash = :hash AND ${whose} RETURNING expires_at`,
    { hash: hashToken(challenge), ...owner }
  )
  return row !== undefined && Number(row.expires_at) > Date.now()
}
