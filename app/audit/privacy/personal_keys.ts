import { randomUUID } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import type { QueryClientContract } from '@adonisjs/lucid/types/database'
import settings from '#config/audit'
import { onFailover } from '#database/incarnation'
import { selectRows } from '#database/select_rows'
import { newSecret, type StoredKey } from './personal_cipher.ts'
import type { Transaction } from '#database/transaction'

/* This file owns `audit_keys`: a key for each user, and one for each month of guesses. */

export type KeyOwner = { userId: string } | { month: string }

/** Emptied at a failover: data under a key that the standby lacks could never be read. */
const committed = new LRUCache<string, StoredKey>({ max: settings.cachedKeys })

onFailover(() => committed.clear())

const nameOf = (owner: KeyOwner) => ('userId' in owner ? owner.userId : owner.month)

/**
 * Returns null for a deleted user.
 * @param isFresh reads the table: the speed of a cached key would tell which addresses are
 * registered, and another process may have deleted the key
 */
export async function getKey(
  owner: KeyOwner,
  { isFresh }: { isFresh: boolean },
  trx: Transaction
): Promise<StoredKey | null> {
  const known = isFresh ? undefined : committed.get(nameOf(owner))
  if (known) return known
  const key = (await findKey(owner, trx)) ?? (await makeKey(owner, trx))
  // Before the commit the key may still be rolled back.
  if (key) trx.after('commit', () => void committed.set(nameOf(owner), key))
  else committed.delete(nameOf(owner))
  return key
}

/** A user who is imported again with the id of a deleted one gets another key. */
export function forgetKey(userId: string, trx: Transaction) {
  trx.after('commit', () => void committed.delete(userId))
}

async function findKey(owner: KeyOwner, trx: Transaction): Promise<StoredKey | null> {
  const where = 'userId' in owner ? { user_id: owner.userId } : { month: owner.month }
  return trx.from('audit_keys').where(where).select('id', 'secret').first()
}

/** Several transactions may make a key at the same time: one succeeds, the others find it. */
async function makeKey(owner: KeyOwner, trx: Transaction) {
  if ('userId' in owner) await makeUserKey(owner.userId, trx)
  else await insertKeys([{ month: owner.month }], trx)
  return findKey(owner, trx)
}

async function makeUserKey(userId: string, trx: Transaction) {
  const id = randomUUID()
  const uuid = trx.dialect.name === 'postgres' ? 'uuid' : 'text'
  await selectRows(
    trx,
    `INSERT INTO audit_keys (id, user_id, secret, created_at)
     SELECT CAST(:id AS ${uuid}), id, CAST(:secret AS text), CAST(:now AS bigint)
     FROM users WHERE id = :userId ON CONFLICT DO NOTHING`,
    { id, userId, secret: newSecret(id), now: Date.now() }
  )
}

export async function makeUserKeys(userIds: string[], trx: Transaction) {
  const owners = userIds.map((id) => ({ user_id: id }))
  if (owners.length > 0) await insertKeys(owners, trx)
}

async function insertKeys(owners: object[], trx: Transaction) {
  const rows = owners.map((owner) => {
    const id = randomUUID()
    return { ...owner, id, secret: newSecret(id), created_at: Date.now() }
  })
  await trx.knexQuery().insert(rows).into('audit_keys').onConflict().ignore()
}

/** Reads from the primary, because a replica may lag behind an erasure. */
export async function findKeys(ids: string[], client: QueryClientContract) {
  if (ids.length === 0) return new Map<string, StoredKey>()
  const rows: StoredKey[] = await client
    .from('audit_keys')
    .whereIn('id', ids)
    .select('id', 'secret')
  return new Map(rows.map((row) => [row.id, row]))
}
