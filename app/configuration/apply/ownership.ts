import {
  deleteManagedRecord,
  writeManagedRecord,
  type ManagedRecord,
  type RecordKey,
} from '#configuration/managed_rows'
import type { SourceFile } from '#configuration/document/entries'
import type { Transaction } from '#database/transaction'
import type { Step } from './step.ts'

/* Which file a record belongs to, before and after the files are applied. */

export function keyText({ kind, id }: RecordKey) {
  return `${kind} ${id}`
}

export interface OwnershipChange {
  /** Rows to write for records that the files name. */
  written: ManagedRecord[]
  /** Records that a file named until now, and that no file names any more. */
  released: ManagedRecord[]
}

interface Ownership {
  steps: Step[]
  files: SourceFile[]
  records: ManagedRecord[]
  isAtStart: boolean
}

export function ownershipAfter(ownership: Ownership): OwnershipChange {
  const { steps, files, records, isAtStart } = ownership
  const known = new Map(records.map((record) => [keyText(record), record]))
  const wanted = steps.flatMap((step) => {
    if (step.id === null) return []
    const before = known.get(keyText({ kind: step.kind, id: step.id }))
    return [recordOf(step, step.id, { before, isAtStart })]
  })
  const named = new Set(wanted.map(keyText))
  const released = records.filter(
    (record) =>
      record.file !== null &&
      !named.has(keyText(record)) &&
      (isOfFiles(record, files) || (isAtStart && record.isAtStart))
  )
  return {
    written: wanted.filter((record) => !isSame(known.get(keyText(record)), record)),
    released,
  }
}

/** Files are known by their source, or else by their name. */
export function isOfFiles(
  { file, source }: Pick<ManagedRecord, 'file' | 'source'>,
  files: SourceFile[]
) {
  return files.some((given) => {
    if (source !== null && given.source !== null) return source === given.source
    return file === given.name
  })
}

export function recordOf(
  { entry: { file, named }, kind, id: storedId }: Step,
  id: string,
  { before, isAtStart }: { before?: ManagedRecord; isAtStart: boolean }
): ManagedRecord {
  const { name, source } = file
  const madeBy = storedId === null ? source : (before?.madeBy ?? null)
  const wasAtStart = before?.file === name && before.isAtStart
  return { kind, id, file: name, source, madeBy, fields: named, isAtStart: isAtStart || wasAtStart }
}

function isSame(one: ManagedRecord | undefined, other: ManagedRecord) {
  const text = ({ file, source, madeBy, fields, isAtStart }: ManagedRecord) =>
    JSON.stringify([file, source, madeBy, fields, isAtStart])
  return one !== undefined && text(one) === text(other)
}

/** `--prune` needs to know who made the record, a takeover whether a file ever named the client. */
export async function release(record: ManagedRecord, trx: Transaction) {
  const isNeeded = record.madeBy !== null || record.kind === 'client'
  if (!isNeeded) return deleteManagedRecord(record, trx)
  const freed = { ...record, file: null, source: null, fields: [], isAtStart: false }
  await writeManagedRecord(freed, trx)
}
