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

/*
 | A session that was stolen or left open must not be enough for a sensitive change (OWASP
 | ASVS 7.5.3): one of the sign-in methods, of the address, or of an administrator. It needs each
 | factor of its user, in the request or proved by the session in the last minutes.
 */

/** The user behind a request that changes something of their own. */
export interface ProvingCaller {
  userId: string
  /** The session of the caller; some changes end every other one. */
  sessionId: string
  actor: Actor
  proof: Proof
}

/**
 * The user of the caller, who has proved every factor that they have. It is counted like any
 * change of oneself: each of these writes an event, and most queue a mail.
 *
 * @throws E_NOT_FOUND, and what `assertRecentProof` throws
 */
export async function getProvenCallerOrFail(caller: ProvingCaller) {
  const { userId } = caller
  await throttleProfileChange(userId)
  const user = await User.find(userId)
  if (!user) throw new E_NOT_FOUND()
  await assertRecentProof(user, caller)
  return user
}

/** What the page of a confirmation got. */
interface Confirmation {
  sessionId: string
  actor: Actor
  proof: Required<Proof>
}

/** A user can confirm as often as they like: a window of confirmations is one event with a count. */
export function recordReauthentication(userId: string, actor: Actor, method: string) {
  const event = { type: 'reauthentication.succeeded', user: { id: userId }, actor } as const
  return recordCoalesced({ ...event, details: { method } }, [userId, method])
}

/**
 * Verifies the password, and the code of a user with a second factor, and notes it in the
 * session: its sensitive changes need no further proof for some minutes.
 *
 * @throws what `hasRecentProof` throws
 */
export async function reauthenticate(user: User, { sessionId, actor, proof }: Confirmation) {
  await assertCurrentPassword(user, proof.currentPassword)
  if (user.mfaEnabled) await verifyCode(user, proof.code)
  const { amr } = user.mfaEnabled ? BY_PASSWORD_AND_CODE : BY_PASSWORD
  await store.reauthenticateSession({ userId: user.id, sessionId }, { amr, at: Date.now() })
  await recordReauthentication(user.id, actor, 'password')
}
