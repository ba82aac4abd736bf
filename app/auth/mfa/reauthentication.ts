import User from '#models/user'
import store from '#auth/store/service'
import { E_RECENT_LOGIN_REQUIRED } from '#auth/errors'
import { E_NOT_FOUND } from '#exceptions/http_errors'
import { throttleProfileChange } from '#auth/lockout/throttle'
import { assertCurrentPassword } from '#auth/passwords/current_password'
import { amrOf } from '#auth/sessions/authentication'
import { assertRecentProof } from './recent_proof.ts'
import { verifyCode, type Proof } from './verify_proof.ts'
import type { Actor } from '#audit/actor'

/*
 | A session that was stolen or left open must not be enough for a sensitive change (OWASP
 | ASVS 7.5.3): one of the ways in, of the address, or of an administrator. It needs each
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
export async function getProvenCallerOrFail({ userId, sessionId, proof }: ProvingCaller) {
  await throttleProfileChange(userId)
  const user = await User.find(userId)
  if (!user) throw new E_NOT_FOUND()
  await assertRecentProof(user, sessionId, proof)
  return user
}

/**
 * Refuses a change by a user who has not just proved who they are. Commands and the system
 * have no user and need no proof.
 *
 * @throws E_RECENT_LOGIN_REQUIRED
 */
export function assertProvenActor(actor: Actor) {
  if (actor.id !== null && !actor.hasRecentProof) throw new E_RECENT_LOGIN_REQUIRED()
}

/**
 * Verifies the password, and the code of a user with a second factor, and notes it in the
 * session: its sensitive changes need no further proof for some minutes.
 *
 * @throws what `hasRecentProof` throws
 */
export async function reauthenticate(user: User, sessionId: string, proof: Required<Proof>) {
  await assertCurrentPassword(user, proof.currentPassword)
  if (user.mfaEnabled) await verifyCode(user, proof.code)
  const amr = amrOf('password', { hasCode: Boolean(user.mfaEnabled) })
  await store.reauthenticateSession({ userId: user.id, sessionId }, { amr, at: Date.now() })
}
