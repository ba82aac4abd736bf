import db from '@adonisjs/lucid/services/db'
import { validate as isUuid } from 'uuid'
import { assertMay } from '#auth/callers/permissions'
import { assertAnotherMethod } from '#auth/last_method'
import { changeKeepingAnAdmin } from '#auth/last_admin'
import { lockForChange } from '#auth/lock_for_change'
import { throttleProfileChange } from '#auth/lockout/throttle'
import { getReauthenticatedUserOrFail, type Reauthentication } from '#auth/mfa/reauthentication'
import { endSessions } from '#auth/sessions/sessions'
import { E_NOT_FOUND } from '#exceptions/http_errors'
import { record } from '#events/record'
import { PROVED_BY_PASSKEY } from './amr.ts'
import { toRecord } from './passkey_record.ts'
import { findPasskey } from './passkey_rows.ts'
import { storeName } from './store_passkey.ts'
import { removePasskeys } from './remove_passkeys.ts'
import type { Actor } from '#audit/actor'

interface Renaming {
  userId: string
  id: string
  actor: Actor
}

/** Asks for no reauthentication, because a name opens nothing. @throws E_NOT_FOUND */
export async function renamePasskey({ userId, id, actor }: Renaming, name: string) {
  if (!isUuid(id)) throw new E_NOT_FOUND()
  await throttleProfileChange(userId)
  return db.transaction(async (trx) => {
    const user = await lockForChange(userId, actor, trx)
    const passkey = await findPasskey({ id, userId }, trx)
    if (!passkey) throw new E_NOT_FOUND()
    if (await storeName({ id, userId }, name, trx)) {
      const details = { passkeyId: id, name: { before: passkey.name, after: name } }
      await record(trx, { type: 'passkey.renamed', user, actor, details })
    }
    return toRecord({ ...passkey, name })
  })
}

export async function removeOwnPasskey(caller: Reauthentication, id: string) {
  const { userId, sessionId } = caller
  await getReauthenticatedUserOrFail(caller)
  const actor = { ...caller.actor, hasRecentAuthentication: true }
  await removePasskey(userId, { id, except: sessionId }, actor)
}

interface Removal {
  id: string
  /** The caller's session, which is kept because it has just reauthenticated. */
  except?: string
}

/**
 * Also ends the sessions that passkeys proved, because a lost device may hold one of them.
 * @throws E_NOT_FOUND, E_LAST_METHOD, and what `assertMay` throws
 */
export async function removePasskey(userId: string, { id, except }: Removal, actor: Actor) {
  if (!isUuid(id)) throw new E_NOT_FOUND()
  await changeKeepingAnAdmin(async (trx) => {
    const user = await lockForChange(userId, actor, trx)
    const passkey = await findPasskey({ id, userId }, trx)
    if (!passkey) throw new E_NOT_FOUND()
    assertMay(user.isAdmin ? 'administrator' : 'user.sign_in_methods', actor)
    await assertAnotherMethod(user, { method: 'passkey', removed: id }, trx)
    await removePasskeys(userId, { id }, trx)
    const endedSessions = await endSessions(userId, { ...PROVED_BY_PASSKEY, except, trx })
    const details = { passkeyId: id, name: passkey.name, endedSessions }
    await record(trx, { type: 'passkey.removed', user, actor, details })
  })
}
