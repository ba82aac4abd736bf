import { randomUUID } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import type { QueryClientContract } from '@adonisjs/lucid/types/database'
import settings from '#config/audit'
import { onTakeover } from '#database/incarnation'
import { selectRows } from '#database/select_rows'
import { newSecret, type StoredKey } from './personal_cipher.ts'
import type { Transaction } from '#database/transaction'

/*
 | The keys under which events hide whom they concern: one for each user, which the database
 | deletes with them, and one for each month, for guesses at addresses that nobody has. This
 | file owns the table `audit_keys`.
 */

/** Whose key it is: a user's, or that of a month such as `2026-11`. */
export type KeyOwner = { userId: string } | { month: string }

export function monthOf(time: number): KeyOwner {
  return { month: new Date(time).toISOString().slice(0, 7) }
}

/**
 * Keys that were committed. A user who was deleted since needs no key. What is
 * encrypted under a key that a promoted standby lacks could never be read.
 */
const committed = new LRUCache<string, StoredKey>({ max: settings.cachedKeys })

onTakeover(() => committed.clear())

const nameOf = (owner: KeyOwner) => ('userId' in owner ? owner.userId : owner.month)

/**
 * The key of an owner, made with their first event. Null for a user who is deleted.
 *
 * @param isFresh reads the table although the key is at hand: a stranger who names an
 * address must not learn from the time whether somebody has it
 */
export async function getKey(
  owner: KeyOwner,
  { isFresh }: { isFresh: boolean },
  trx: Transaction
): Promise<StoredKey | null> {
  const known = isFresh ? undefined : committed.get(nameOf(owner))
  if (known) return known
  const key = (await findKey(owner, trx)) ?? (await makeKey(owner, trx))
  // Before the commit the key may still be rolled back, and what it encrypted with it.
  if (key) trx.after('commit', () => void committed.set(nameOf(owner), key))
  return key
}

async function findKey(owner: KeyOwner, trx: Transaction): Promise<StoredKey | null> {
  const where = 'userId' in owner ? { user_id: owner.userId } : { month: owner.month }
  return trx.from('audit_keys').where(where).select('id', 'secret').first()
}

/** Of several transactions that make a key at once, one does, and the others find it. */
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

/** Keys for users who have none yet, many in one statement. */
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

/** The keys with these ids that still exist. They are read from the primary: a replica may be behind an erasure. */
export async function findKeys(ids: string[], client: QueryClientContract) {
  if (ids.length === 0) return new Map<string, StoredKey>()
  const rows: StoredKey[] = await client
    .from('audit_keys')
    .whereIn('id', ids)
    .select('id', 'secret')
  return new Map(rows.map((row) => [row.id, row]))
}

/** How many whole months a guess at an address outlives its own. */
const MONTHS_KEPT = 2

/** Deletes the keys of months that ended two months ago, and returns their number. */
export async function deleteOldMonths(client: QueryClientContract, now: number) {
  const oldest = new Date(now)
  oldest.setUTCDate(1)
  oldest.setUTCMonth(oldest.getUTCMonth() - MONTHS_KEPT)
  const { month } = monthOf(oldest.getTime()) as { month: string }
  return Number(await client.from('audit_keys').where('month', '<', month).delete())
}
