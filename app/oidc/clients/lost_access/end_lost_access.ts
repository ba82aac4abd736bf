import db from '@adonisjs/lucid/services/db'
import { yieldToEventLoop } from '#database/batches'
import { SYSTEM } from '#audit/actor'
import { record } from '#events/record'
import User from '#models/user'
import { findClient } from '#oidc/clients/client_rows'
import { endGrantsOf } from '#oidc/grants/end_grants'
import { usersWithGrantAfter } from '#oidc/records/grant_rows'
import { existingGroupIds } from '#groups/names_of'
import { mayAccess } from '#oidc/clients/access/may_access'
import { restrictedClientsOf } from '#oidc/clients/access/restricted_clients'
import type { Transaction } from '#database/transaction'

/* Tokens of users without access are refused after the commit. This file ends their sessions. */

/**
 * Runs in the transaction that changes the user's groups and has locked the user. The event of this
 * change names the sessions.
 */
export async function endLostAccessOf(userId: string, trx: Transaction) {
  const clients = await restrictedClientsOf(userId, trx)
  if (clients.length === 0) return
  const user = await User.find(userId, { client: trx })
  if (!user) return
  const entering = { id: userId, isService: user.isService, groupIds: await existing(user, trx) }
  const lost = clients.filter((client) => !mayAccess(client, entering))
  for (const { clientId } of lost) await endGrantsOf({ userId, clientId }, trx)
}

async function existing({ groupIds }: User, trx: Transaction) {
  if (!groupIds) return null
  const ids = await existingGroupIds(groupIds.split(' '), trx)
  return ids.join(' ')
}

type Page = Awaited<ReturnType<typeof usersWithGrantAfter>>

/** Grants per page and users per transaction: on SQLite, every other write waits for it. */
const PAGE = 200
const BATCH = 5

export interface EndOfAccess {
  clientId: string
  /** Also ends sessions of users who may enter: they sign in again. */
  isForEverybody?: boolean
}

export async function endLostAccess(end: EndOfAccess) {
  const { clientId, isForEverybody = false } = end
  let after: Page['next'] = null
  do {
    const client = await findClient(clientId)
    if (!client || (client.access === 'everybody' && !isForEverybody)) return
    const page: Page = await usersWithGrantAfter(clientId, { after, limit: PAGE })
    const users = await User.query().whereIn('id', page.userIds)
    const lost = users.filter((user) => isForEverybody || !mayAccess(client, user))
    for (let at = 0; at < lost.length; at += BATCH) {
      const ids = lost.slice(at, at + BATCH).map(({ id }) => id)
      await db.transaction((trx) => endBatch(end, ids, trx))
      await yieldToEventLoop()
    }
    after = page.next
  } while (after)
}

/** Checks the access again under the locks, because a user may be in a group again. */
async function endBatch(end: EndOfAccess, userIds: string[], trx: Transaction) {
  const { clientId, isForEverybody = false } = end
  const users = await User.query({ client: trx }).whereIn('id', userIds).orderBy('id').forUpdate()
  const client = await findClient(clientId, trx)
  if (!client) return
  for (const user of users) {
    if (!isForEverybody && mayAccess(client, user)) continue
    const ended = await endGrantsOf({ userId: user.id, clientId }, trx)
    if (ended.length > 0) await recordEnds(user, { clientId, ended }, trx)
  }
}

/** The change itself was recorded before, without the sessions of so many users. */
function recordEnds(
  { id }: User,
  { clientId, ended }: { clientId: string; ended: string[] },
  trx: Transaction
) {
  const details = { sessionId: ended[0], clientId, endedSessions: ended.length }
  return record(trx, { type: 'session.ended', user: { id }, actor: SYSTEM, details })
}
