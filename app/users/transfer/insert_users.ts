import db from '@adonisjs/lucid/services/db'
import { importPasskeys } from '#auth/passkeys/passkey_rows'
import { makeUserKeys } from '#audit/privacy/personal_keys'
import { assertNoClientIds } from '#auth/tokens/client_ids'
import { record } from '#events/record'
import type { PreparedUser } from './imported_user.ts'
import type { Actor } from '#audit/actor'
import type { Transaction } from '#database/transaction'

interface BatchOptions {
  dryRun: boolean
  actor: Actor
  from: string
}

export type UsableRow = Extract<PreparedUser, { outcome: 'usable' }> & { line: number }

/** Databases limit the number of values in one statement. */
const CHUNK_SIZE = 500

const PASSKEY_CHUNK = 200

/** A dry run rolls its inserts back. @returns the e-mails that were added */
export async function insertUsers(users: UsableRow[], { dryRun, actor, from }: BatchOptions) {
  const trx = await db.transaction()
  try {
    const added = await insertMissing(users, trx)
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

async function insertMissing(users: UsableRow[], trx: Transaction) {
  const rows = await insertRows(users, trx)
  await assertNoClientIds(
    rows.map(({ id }) => id),
    trx
  )
  const emails = new Set(rows.map(({ email }) => email))
  const added = users.filter(({ user }) => emails.has(user.email))
  // Made at the import: at the first event, the time would reveal an imported user to an attacker.
  await makeUserKeys(
    rows.map(({ id }) => id),
    trx
  )
  await insertIdentities(added, trx)
  await insertPasskeys(added, trx)
  return [...emails]
}

/** The unique index decides which users exist, so that no concurrent registration is lost. */
function insertRows(
  users: UsableRow[],
  trx: Transaction
): Promise<{ id: string; email: string }[]> {
  return trx
    .knexQuery()
    .insert(users.map(({ user }) => user))
    .into('users')
    .onConflict()
    .ignore()
    .returning(['id', 'email'])
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
