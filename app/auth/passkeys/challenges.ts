import { randomBytes } from 'node:crypto'
import db from '@adonisjs/lucid/services/db'
import settings from '#config/passkeys'
import { hashToken } from '#auth/tokens/hash_token'
import { selectRows } from '#database/select_rows'

// Against replays, a challenge works only one time. The DELETE decides between parallel responses.

/** The session that requested the registration; missing at a login. */
export interface ChallengeOwner {
  userId: string
  sessionId: string
}

/** Issues 256 random bits; WebAuthn (section 13.4.3) asks for at least 128. */
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

export async function useChallenge(challenge: string, owner?: ChallengeOwner) {
  const whose = owner ? 'user_id = :userId AND session_id = :sessionId' : 'user_id IS NULL'
  const [row] = await selectRows<{ expires_at: number | string }>(
    db.connection(),
    `DELETE FROM passkey_challenges WHERE challenge_hash = :hash AND ${whose} RETURNING expires_at`,
    { hash: hashToken(challenge), ...owner }
  )
  return row !== undefined && Number(row.expires_at) > Date.now()
}

export async function loginOptions() {
  const challenge = await issueChallenge()
  const { generateAuthenticationOptions } = await import('@simplewebauthn/server')
  return generateAuthenticationOptions({
    rpID: settings.rpId,
    challenge: new Uint8Array(challenge),
    timeout: settings.challengeTtlMs,
    userVerification: 'required',
  })
}
