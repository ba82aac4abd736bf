import { validate as isUuid } from 'uuid'
import { lockName } from '#database/named_lock'
import type { Transaction } from '#database/transaction'

/*
 | The `sub` of a token names a user, or a client that acts for itself: no id may name both. An
 | import brings its own user ids, so an import and a registration wait for each other.
 */

const LOCK = 'client and user ids'

/** Call it after the client was inserted: on SQLite the insert locks. */
export async function isUserId(clientId: string, trx: Transaction) {
  if (!isUuid(clientId)) return false
  await lockName(LOCK, trx)
  const id = clientId.toLowerCase()
  return Boolean(await trx.from('users').where({ id }).select('id').first())
}

/** Call it after the users were inserted. */
export async function assertNoClientIds(userIds: string[], trx: Transaction) {
  if (userIds.length === 0) return
  await lockName(LOCK, trx, 'shared')
  const rows = trx.from('oauth_clients').whereIn('client_id', userIds)
  if (await rows.select('id').first()) throw new ClientIdUsed()
}

/** The violation of a constraint that no table declares. */
export class ClientIdUsed extends Error {
  readonly code = '23505'
  readonly column = 'id'
}
