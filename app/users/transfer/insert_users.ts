import db from '@adonisjs/lucid/services/db'
import { importPasskeys } from '#auth/passkeys/passkey_rows'
import { makeUserKeys } from '#audit/privacy/personal_keys'
import { record } from '#events/record'
import type { PreparedUser } from './imported_user.ts'
import type { Actor } from '#audit/actor'
import type { Transaction } from '#database/transaction'

interface BatchOptions {
  dryRun: boolean
  actor: Actor
  /** A key of `MAPPINGS`. */
  from: string
}

export type UsableRow = Extract<PreparedUser, { outcome: 'usable' }> & { line: number }

/** Rows of one statement: databases limit the number of its values. */
const CHUNK_SIZE = 500

const PASSKEY_CHUNK = 200

/** The e-mails that were added. A dry run rolls its inserts back. */
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
  const emails = new Set(rows.map(({ email }) => email))
  const added = users.filter(({ user }) => emails.has(user.email))
  // Here and not with their first event, whose time would tell a stranger of a fresh import.
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
