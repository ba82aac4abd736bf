import type { Reauthentication } from '#auth/mfa/reauthentication'
import { assertRecentAuthentication } from '#auth/mfa/recent_authentication'
import { missingCurrentPassword } from '#auth/passwords/current_password'
import { PASSWORD_TOKENS, storePassword } from '#auth/passwords/store_password'
import db from '@adonisjs/lucid/services/db'
import { assertMay } from '#auth/callers/permissions'
import User from '#models/user'
import { revokeKeysMadeBy } from '#auth/api_keys/revoke_keys'
import { hashNewPassword } from '#auth/passwords/new_password'
import { normalizePassword } from '#auth/passwords/policy'
import { assertNotServiceAccount, lockForChange } from '#auth/lock_for_change'
import { endSessions } from '#auth/sessions/sessions'
import { E_INCORRECT_PASSWORD, E_SAME_PASSWORD } from '#auth/errors'
import { E_NOT_FOUND } from '#exceptions/http_errors'
import { record } from '#events/record'
import type { Actor } from '#audit/actor'

/**
 * A changed password can lock the owner out, so the current one is needed even in a recent session.
 * Mailed links stay valid: the owner needs them against a thief of the session.
 */
export async function changePassword(caller: Reauthentication, newPassword: string) {
  const user = await User.find(caller.userId)
  if (!user) throw new E_NOT_FOUND()
  const { currentPassword } = caller.credentials
  if (user.password && !currentPassword) throw missingCurrentPassword()
  await assertRecentAuthentication(user, caller)
  const chosen = normalizePassword(newPassword)
  if (currentPassword && chosen === normalizePassword(currentPassword)) throw new E_SAME_PASSWORD()
  const hash = await hashNewPassword(chosen, user, 'newPassword')
  return db.transaction(async (trx) => {
    await lockForChange(user.id, caller.actor, trx)
    const isStored = await storePassword(user, { hash, voids: ['password_change'] }, trx)
    if (!isStored) throw new E_INCORRECT_PASSWORD()
    const endedSessions = await endSessions(user.id, { except: caller.sessionId, trx })
    const { actor } = caller
    await record(trx, { type: 'password.changed', user, actor, details: { endedSessions } })
    return { user, endedSessions }
  })
}

/**
 * Ends sessions and revokes API keys made with the previous password, which a thief may know.
 * @param mustChange whether the user must choose another one at the next sign-in
 */
export async function setPassword(
  user: User,
  password: string,
  { actor, mustChange = false }: { actor: Actor; mustChange?: boolean }
) {
  assertNotServiceAccount(user)
  assertMay('user.password', actor)
  const hash = await hashNewPassword(password, user)
  return db.transaction(async (trx) => {
    const current = await lockForChange(user.id, actor, trx)
    await storePassword(current, { hash, mustChange, voids: PASSWORD_TOKENS }, trx)
    const endedSessions = await endSessions(user.id, { trx })
    const revokedKeys = await revokeKeysMadeBy(
      current.id,
      current.passwordChangedAt?.toMillis() ?? 0,
      trx
    )
    const details = { endedSessions, mustChange, ...(revokedKeys > 0 && { revokedKeys }) }
    await record(trx, { type: 'password.changed', user, actor, details })
    return { user, endedSessions }
  })
}
