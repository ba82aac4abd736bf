import db from '@adonisjs/lucid/services/db'
import { E_MANAGED } from './errors.ts'
import { findUsesOfAccount, findUsesOfGroup } from './managed_uses.ts'
import {
  deleteManagedRecord,
  findManagedRecord,
  writeManagedRecord,
  type RecordKey,
} from './managed_rows.ts'
import type { Transaction } from '#database/transaction'

/*
 | A field that a file names is changed only there. Each change checks this in its own transaction,
 | after it locks the record, as the application of a file does: neither misses the other.
 */

export interface Managed {
  file: string
  fields: string[]
}

/** Returns null for a record that no file names. */
export async function findManaged(key: RecordKey, trx?: Transaction): Promise<Managed | null> {
  const record = await findManagedRecord(key, trx ?? db.connection())
  return record?.file ? { file: record.file, fields: record.fields } : null
}

/** @param fields the fields that change @throws E_MANAGED if a file names one of them */
export async function assertNotManaged(key: RecordKey, fields: string[], trx: Transaction) {
  if (fields.length === 0) return
  const managed = await findManaged(key, trx)
  if (managed) assertFree(managed, fields)
}

/** For a record whose managed fields are already read. */
export function assertFree(managed: Managed, fields: string[]) {
  const named = fields.filter((field) => managed.fields.includes(field))
  if (named.length > 0) throw managedBy(managed.file, named)
}

/** Call it when a record is deleted. @throws E_MANAGED if a file names it */
export async function forgetManaged(key: RecordKey, trx: Transaction) {
  const managed = await findManaged(key, trx)
  if (managed) throw managedBy(managed.file, managed.fields)
  await deleteManagedRecord(key, trx)
}

/** @throws E_MANAGED if an entry of a file names the group by its current name */
export async function assertGroupIsFree(groupId: string, trx: Transaction) {
  const [use] = await findUsesOfGroup(groupId, trx)
  if (use) throw managedBy(use.file, [use.field])
}

/** @throws E_MANAGED if a client of a file acts for the account */
export async function assertAccountIsFree(userId: string, trx: Transaction) {
  const [use] = await findUsesOfAccount(userId, trx)
  if (use) throw managedBy(use.file, [use.field])
}

/** For an account that is erased whatever a file says: the next `config:apply` reports the loss. */
export async function releaseAccount(userId: string, trx: Transaction) {
  await deleteManagedRecord({ kind: 'service_account', id: userId }, trx)
  const clients = await trx.from('oauth_clients').where('service_account_id', userId).select('id')
  for (const { id } of clients) {
    const record = await findManagedRecord({ kind: 'client', id }, trx)
    if (!record) continue
    const fields = record.fields.filter((field) => field !== 'serviceAccountId')
    await writeManagedRecord({ ...record, fields }, trx)
  }
}

function managedBy(file: string, fields: string[]) {
  const error = new E_MANAGED(`The file ${file} manages this: change it there`)
  return error.with({ file, fields }).withValues({ file }).onPages('errors.E_MANAGED_BY_FILE')
}
