import User from '#models/user'
import store from '#auth/store/service'
import { E_NOT_FOUND } from '#exceptions/http_errors'
import { throttleProfileChange } from '#auth/lockout/throttle'
import { assertCurrentPassword } from '#auth/passwords/current_password'
import { BY_PASSWORD, BY_PASSWORD_AND_CODE } from '#auth/sessions/authentication'
import { assertRecentAuthentication } from './recent_authentication.ts'
import { verifyCode, type PasswordAndCode } from './verify_code.ts'
import { recordCoalesced } from '#events/record'
import type { Actor } from '#audit/actor'
import type { Transaction } from '#database/transaction'

// A stolen or open session must not be enough for a sensitive change (OWASP ASVS 7.5.3). The
// request must verify each factor, unless the session did so in the last minutes.

export interface Reauthentication {
  userId: string
  sessionId: string
  actor: Actor
  credentials: PasswordAndCode
  /** A user has few backup codes: the caller releases the code if the change is refused. */
  onCodeUsed?: (release: () => Promise<void>) => void
}

/** Counts as a profile change. @throws E_NOT_FOUND, and as `assertRecentAuthentication` does */
export async function getReauthenticatedUserOrFail(caller: Reauthentication) {
  const { userId } = caller
  await throttleProfileChange(userId)
  const user = await User.find(userId)
  if (!user) throw new E_NOT_FOUND()
  await assertRecentAuthentication(user, caller)
  return user
}

interface Confirmation {
  sessionId: string
  actor: Actor
  credentials: Required<PasswordAndCode>
}

/** Coalesces the events, because a user can confirm as often as they like. */
export function recordReauthentication(userId: string, actor: Actor, method: string) {
  const event = { type: 'reauthentication.succeeded', user: { id: userId }, actor } as const
  return recordCoalesced({ ...event, details: { method } }, [userId, method])
}

/** Counts for the session for some minutes. @throws what `hasRecentAuthentication` throws */
export async function reauthenticate(user: User, { sessionId, actor, credentials }: Confirmation) {
  await assertCurrentPassword(user, credentials.currentPassword)
  const { amr } = user.mfaEnabled ? BY_PASSWORD_AND_CODE : BY_PASSWORD
  const note = (trx?: Transaction) =>
    store.reauthenticateSession({ userId: user.id, sessionId }, { amr, at: Date.now() }, trx)
  if (user.mfaEnabled) await verifyCode(user, credentials.code, note)
  else await note()
  await recordReauthentication(user.id, actor, 'password')
}
