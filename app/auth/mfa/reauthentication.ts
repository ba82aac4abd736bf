import User from '#models/user'
import store from '#auth/store/service'
import { E_NOT_FOUND } from '#exceptions/http_errors'
import { throttleProfileChange } from '#auth/lockout/throttle'
import { assertCurrentPassword } from '#auth/passwords/current_password'
import { BY_PASSWORD, BY_PASSWORD_AND_CODE } from '#auth/sessions/authentication'
import { assertRecentProof } from './recent_proof.ts'
import { verifyCode, type Proof } from './verify_proof.ts'
import { recordCoalesced } from '#events/record'
import type { Actor } from '#audit/actor'

// A stolen or open session must not be enough for a sensitive change (OWASP ASVS 7.5.3): each
// factor is proved by the request, or by the session in the last minutes.

export interface ProvingCaller {
  userId: string
  sessionId: string
  actor: Actor
  proof: Proof
}

/** Counts like any change of one's own. @throws E_NOT_FOUND, and what `assertRecentProof` throws */
export async function getProvenCallerOrFail(caller: ProvingCaller) {
  const { userId } = caller
  await throttleProfileChange(userId)
  const user = await User.find(userId)
  if (!user) throw new E_NOT_FOUND()
  await assertRecentProof(user, caller)
  return user
}

interface Confirmation {
  sessionId: string
  actor: Actor
  proof: Required<Proof>
}

/** Coalesces, because a user can confirm as often as they like. */
export function recordReauthentication(userId: string, actor: Actor, method: string) {
  const event = { type: 'reauthentication.succeeded', user: { id: userId }, actor } as const
  return recordCoalesced({ ...event, details: { method } }, [userId, method])
}

/** Spares the session further proofs for some minutes. @throws what `hasRecentProof` throws */
export async function reauthenticate(user: User, { sessionId, actor, proof }: Confirmation) {
  await assertCurrentPassword(user, proof.currentPassword)
  if (user.mfaEnabled) await verifyCode(user, proof.code)
  const { amr } = user.mfaEnabled ? BY_PASSWORD_AND_CODE : BY_PASSWORD
  await store.reauthenticateSession({ userId: user.id, sessionId }, { amr, at: Date.now() })
  await recordReauthentication(user.id, actor, 'password')
}
