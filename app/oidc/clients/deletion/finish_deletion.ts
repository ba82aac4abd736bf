import db from '@adonisjs/lucid/services/db'
import { lockUserRow } from '#auth/store/database/lock_user_row'
import {
  deletionTime,
  forgetDeletedClient,
  isDeletedClient,
  lockDeletion,
} from '#auth/tokens/deleted_clients'
import { inBatches, yieldToEventLoop } from '#database/batches'
import { deleteConsent, usersWithConsent } from '#oidc/consents/consents'
import { endGrant } from '#oidc/grants/end_grants'
import { deleteOfClient } from '#oidc/records/delete_grant_rows'
import { selectGrants, usersWithGrant } from '#oidc/records/grant_rows'
import type { Transaction } from '#database/transaction'

/** Transactions are short, because on SQLite every other write waits for them. */
const USERS = 20
const GRANTS = 5

export async function endFirstSessions(clientId: string) {
  const found = await endBatch(clientId)
  if (found < USERS) await finishDeletion(clientId)
}

export async function finishDeletion(clientId: string) {
  const requestedAt = await deletionTime(clientId)
  if (requestedAt === null) return
  while ((await endBatch(clientId)) > 0) await yieldToEventLoop()
  await inBatches((size) => db.transaction((trx) => deleteRecords(clientId, size, trx)))
  await forgetDeletedClient(clientId, requestedAt)
}

async function deleteRecords(clientId: string, size: number, trx: Transaction) {
  return (await lockDeletion(clientId, trx)) ? deleteOfClient(clientId, size, trx) : 0
}

/** Ends nothing after another process has finished, because a new client may have the id. */
async function endBatch(clientId: string) {
  if (!(await isDeletedClient(clientId))) return 0
  const withGrant = await usersWithGrant(clientId, USERS)
  const users = withGrant.length > 0 ? withGrant : await usersWithConsent(clientId, USERS)
  for (const userId of users) {
    await db.transaction((trx) => endOf({ userId, clientId }, trx))
    await yieldToEventLoop()
  }
  return users.length
}

/** Locks the user first: a sign-in either precedes the lock or finds no client. */
async function endOf(who: { userId: string; clientId: string }, trx: Transaction) {
  const { userId, clientId } = who
  await lockUserRow(userId, trx)
  if (!(await lockDeletion(clientId, trx))) return
  await deleteConsent(who, trx)
  const grants = await selectGrants({ user_id: userId, client_id: clientId }, trx)
  for (const { grantId } of grants.slice(0, GRANTS)) await endGrant(userId, grantId, trx)
}
