import Identity from '#models/identity'
import { assertMay } from '#auth/callers/permissions'
import { assertAnotherMethod } from '#auth/last_method'
import { removeIdentities } from '#auth/methods/external'
import { changeKeepingAnAdmin } from '#auth/last_admin'
import { lockForChange } from '#auth/lock_for_change'
import { getReauthenticatedUserOrFail, type Reauthentication } from '#auth/mfa/reauthentication'
import { endSessions } from '#auth/sessions/sessions'
import { E_NOT_FOUND } from '#exceptions/http_errors'
import { record } from '#events/record'
import type { Actor } from '#audit/actor'

/** Needs a recent authentication, because the owner may have no other sign-in method. */
export async function unlinkOwnProvider(caller: Reauthentication, provider: string) {
  const { id } = await getReauthenticatedUserOrFail(caller)
  const actor = { ...caller.actor, hasRecentAuthentication: true }
  await unlinkProvider(id, { provider, except: caller.sessionId }, actor)
}

interface Unlinking {
  provider: string
  /** The session of the caller continues, because the caller has just reauthenticated. */
  except?: string
}

/** @throws E_NOT_FOUND, E_LAST_METHOD, and what `assertMay` throws */
export async function unlinkProvider(
  userId: string,
  { provider, except }: Unlinking,
  actor: Actor
) {
  return changeKeepingAnAdmin(async (trx) => {
    const user = await lockForChange(userId, actor, trx)
    const identity = await Identity.ofUser(userId, trx).where({ provider }).first()
    if (!identity) throw new E_NOT_FOUND()
    assertMay(user.isAdmin ? 'administrator' : 'user.sign_in_methods', actor)
    await assertAnotherMethod(user, { method: 'external', removed: provider }, trx)
    await removeIdentities(userId, { provider }, trx)
    const endedSessions = await endSessions(userId, { method: provider, except, trx })
    const details = { provider, endedSessions }
    await record(trx, { type: 'identity.unlinked', user, actor, details })
  })
}
