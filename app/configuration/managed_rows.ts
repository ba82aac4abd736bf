import type { QueryClientContract } from '@adonisjs/lucid/types/database'
import type { Transaction } from '#database/transaction'

/* This file owns `managed_records`. */

const TABLE = 'managed_records'

export type ManagedKind = 'group' | 'client' | 'webhook' | 'service_account'

export interface RecordKey {
  kind: ManagedKind
  id: string
}

export interface ManagedRecord extends RecordKey {
  /** Null while no file names the record, which can then be changed elsewhere. */
  file: string | null
  source: string | null
  /** The source that made the record; null for a record that was there before. */
  madeBy: string | null
  fields: string[]
  isAtStart: boolean
}

export async function findManagedRecord({ kind, id }: RecordKey, client: QueryClientContract) {
  const row = await client.from(TABLE).where({ kind, record_id: id }).first()
  return row ? toRecord(row) : null
}

export async function listManagedRecords(trx: Transaction): Promise<ManagedRecord[]> {
  const rows = await trx.from(TABLE).orderBy('kind').orderBy('record_id')
  return rows.map(toRecord)
}

/** Returns the managed fields of records that a file names now, by id. */
export async function listManagedFields(kinds: ManagedKind[], trx: Transaction) {
  const rows = await trx.from(TABLE).whereIn('kind', kinds).whereNotNull('file')
  return new Map(rows.map(toRecord).map(({ id, fields }) => [id, fields]))
}

/** Includes the ids of records that were released (`release`). */
export async function listKnownIds(kind: ManagedKind, trx: Transaction) {
  const rows = await trx.from(TABLE).where({ kind }).select('record_id')
  return new Set<string>(rows.map(({ record_id: id }) => id))
}

export async function writeManagedRecord(record: ManagedRecord, trx: Transaction) {
  await deleteManagedRecord(record, trx)
  await trx.table(TABLE).insert({
    kind: record.kind,
    record_id: record.id,
    file: record.file,
    source: record.source,
    made_by: record.madeBy,
    fields: JSON.stringify(record.fields),
    at_start: record.isAtStart,
    applied_at: Date.now(),
  })
}

export async function deleteManagedRecord({ kind, id }: RecordKey, trx: Transaction) {
  await trx.from(TABLE).where({ kind, record_id: id }).delete()
}

function toRecord(row: any): ManagedRecord {
  const { kind, record_id: id, file, source, made_by: madeBy } = row
  const fields: string[] = JSON.parse(row.fields)
  return { kind, id, file, source, madeBy, fields, isAtStart: Boolean(row.at_start) }
}

export async function hasRecordsOfStart(client: QueryClientContract) {
  return Boolean(await client.from(TABLE).where('at_start', true).select('kind').first())
}
