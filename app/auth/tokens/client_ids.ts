import { validate as isUuid } from 'uuid'
import type { Transaction } from '#database/transaction'

/*
 | `sub` of a token names a user, or a client that acts for itself: no id may be both. An import
 | brings ids of users along, so that it and a registration wait for one another.
 */

const LOCK = 'client and user ids'

async function lockIds(mode: 'shared' | 'exclusive', trx: Transaction) {
  if (trx.dialect.name !== 'postgres') return
  const lock = mode === 'shared' ? 'pg_advisory_xact_lock_shared' : 'pg_advisory_xact_lock'
  await trx.rawQuery(`SELECT ${lock}(hashtextextended(?, 0))`, [LOCK])
}

/** Call it after the client was inserted: on SQLite the insert locks. */
export async function isUserId(clientId: string, trx: Transaction) {
  if (!isUuid(clientId)) return false
  await lockIds('exclusive', trx)
  const id = clientId.toLowerCase()
  return Boolean(await trx.from('users').where({ id }).select('id').first())
}

/** Call it after the users were inserted. */
export async function assertNoClientIds(userIds: string[], trx: Transaction) {
  if (userIds.length === 0) return
  await lockIds('shared', trx)
  const rows = trx.from('oauth_clients').whereIn('client_id', userIds)
  if (await rows.select('id').first()) throw new ClientIdUsed()
}

/** A constraint that stands in no table. */
export class ClientIdUsed extends Error {
  readonly code = '23505'
  readonly column = 'id'
}
