import db from '@adonisjs/lucid/services/db'
import { importPasskeys } from '#auth/passkeys/store_passkey'
import { makeUserKeys } from '#audit/privacy/personal_keys'
import { assertNoClientIds } from '#auth/tokens/client_ids'
import { record } from '#events/record'
import { claimHandles, releaseHandles } from './claim_handles.ts'
import { insertGroups } from './insert_groups.ts'
import type { GroupChoice } from './group_choice.ts'
import type { PreparedUser } from './imported_user.ts'
import type { Actor } from '#audit/actor'
import type { Transaction } from '#database/transaction'

interface BatchOptions {
  dryRun: boolean
  actor: Actor
  from: string
  choice: GroupChoice
}

export type UsableRow = Extract<PreparedUser, { outcome: 'usable' }> & { line: number }

/** Databases limit the number of values in one statement. */
const CHUNK_SIZE = 500

const PASSKEY_CHUNK = 200

/** A dry run rolls its inserts back. @returns the users that were added */
export async function insertUsers(users: UsableRow[], options: BatchOptions) {
  const { dryRun, actor, from } = options
  const trx = await db.transaction()
  try {
    const added = await insertMissing(users, trx)
    await insertGroups(added, options, trx)
    const details = { from, users: added.length }
    const isKept = !dryRun && added.length > 0
    if (isKept) await record(trx, { type: 'accounts.imported', user: null, actor, details })
    await (isKept ? trx.commit() : trx.rollback())
    return added
  } catch (error) {
    await trx.rollback()
    throw error
  }
}

async function insertMissing(users: UsableRow[], trx: Transaction): Promise<UsableRow[]> {
  const claimed = await claimHandles(await withoutKnown(users, trx), trx)
  const emails = await insertRows(claimed, trx)
  const [added, others] = [true, false].map((isAdded) =>
    claimed.filter(({ user }) => emails.has(user.email) === isAdded)
  )
  await releaseHandles(others, added, trx)
  const ids = added.map(({ user }) => user.id)
  await assertNoClientIds(ids, trx)
  // Keys made only at the first event would reveal imported users to an attacker by the time taken.
  await makeUserKeys(ids, trx)
  await insertIdentities(added, trx)
  await insertPasskeys(added, trx)
  return added
}

/** Leaves out existing users, so that they get no second handle. */
async function withoutKnown(users: UsableRow[], trx: Transaction) {
  const [emails, ids] = [users.map(({ user }) => user.email), users.map(({ user }) => user.id)]
  const rows: { id: string; email: string }[] = await trx
    .from('users')
    .whereIn('email', emails)
    .orWhereIn('id', ids)
    .select('id', 'email')
  const known = new Set(rows.flatMap(({ id, email }) => [id, email]))
  return users.filter(({ user }) => !known.has(user.id) && !known.has(user.email))
}

/** The unique index decides which users exist, so that no concurrent registration is lost. */
async function insertRows(users: UsableRow[], trx: Transaction): Promise<Set<string>> {
  if (users.length === 0) return new Set()
  const rows = await trx
    .knexQuery()
    .insert(users.map(({ user }) => user))
    .into('users')
    .onConflict()
    .ignore()
    .returning('email')
  return new Set(rows.map(({ email }) => email))
}

async function insertIdentities(users: UsableRow[], trx: Transaction) {
  const rows = users.flatMap(({ user, identities }) =>
    identities.map((each) => ({ ...each, user_id: user.id }))
  )
  for (let at = 0; at < rows.length; at += CHUNK_SIZE) {
    const chunk = rows.slice(at, at + CHUNK_SIZE)
    await trx.knexQuery().insert(chunk).into('identities').onConflict().ignore()
  }
}

async function insertPasskeys(users: UsableRow[], trx: Transaction) {
  const rows = users.flatMap(({ user, passkeys }) =>
    passkeys.map((each) => ({ ...each, user_id: String(user.id) }))
  )
  for (let at = 0; at < rows.length; at += PASSKEY_CHUNK) {
    await importPasskeys(rows.slice(at, at + PASSKEY_CHUNK), trx)
  }
}
