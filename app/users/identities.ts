import db from '@adonisjs/lucid/services/db'
import Identity from '#models/identity'
import { E_IDENTITY_TAKEN } from '#auth/errors'
import { addIdentity } from '#auth/external/link_identity'
import { recordLink } from '#auth/external/store_identity'
import { assertOffered } from '#auth/external/providers'
import { lockForChange } from '#auth/lock_for_change'
import { userActor } from '#audit/actor'
import type { ExternalIdentity } from '#auth/external/provider'
import type { Transaction } from '#database/transaction'
import type { RequestSource } from '#auth/sessions/device'

export interface LinkTarget {
  userId: string
  sessionId: string
}

/**
 * Links nothing if the session has ended or the provider was removed since the link was started.
 * @throws E_NOT_FOUND, E_TOKEN_REVOKED, E_IDENTITY_TAKEN, E_IDENTITY_LIMIT
 */
export async function linkIdentity(
  { userId, sessionId }: LinkTarget,
  identity: ExternalIdentity,
  from: RequestSource
) {
  await assertOffered(identity)
  const actor = { ...userActor(userId, from), sessionId }
  return db.transaction(async (trx) => {
    const user = await lockForChange(userId, actor, trx)
    const known = await Identity.findBySubject(identity, trx)
    if (known && known.userId !== userId) throw new E_IDENTITY_TAKEN()
    if (!known) await addIdentity(user, { identity, actor }, trx)
    const isMarked = await markLinkedByOwner(identity, trx)
    if (known && isMarked) await recordLink(user, { identity, actor }, trx)
    return user
  })
}

/** A provider of the console signs administrators in only by these. @returns whether it is new */
async function markLinkedByOwner({ issuer, subject }: ExternalIdentity, trx: Transaction) {
  const linked = trx.from('identities').where({ issuer, subject, linked_by_owner: false })
  return Number(await linked.update({ linked_by_owner: true })) > 0
}
