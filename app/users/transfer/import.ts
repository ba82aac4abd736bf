import { prepareUser } from './imported_user.ts'
import { insertUsers, type UsableRow } from './insert_users.ts'
import type { Actor } from '#audit/actor'
import type { ReadRow } from './read_rows.ts'

/** A row that was not imported, and why. */
export interface RefusedRow {
  line: number
  email: string | null
  reason: string
}

export interface ImportSummary {
  read: number
  imported: number
  /** Rows whose user existed: an import that is run again continues where it stopped. */
  skipped: number
  refused: number
}

export interface ImportOptions {
  /** A key of `MAPPINGS`. */
  from: string
  dryRun: boolean
  actor: Actor
  onRefused: (row: RefusedRow) => void
  /** A row whose user existed, before the import or since an earlier row. */
  onSkipped: (row: RefusedRow) => void
  onProgress: (summary: ImportSummary) => void
}

/** Rows of one transaction: enough to be quick, and few to repeat after a failure. */
const BATCH_SIZE = 500

/**
 * Imports users in batches, each in a transaction with its audit event. Users that exist
 * are left unchanged.
 */
export async function importUsers(rows: AsyncIterable<ReadRow>, options: ImportOptions) {
  const summary: ImportSummary = { read: 0, imported: 0, skipped: 0, refused: 0 }
  let batch: UsableRow[] = []
  for await (const row of rows) {
    const usable = prepareRow(row, options, summary)
    if (usable) batch.push(usable)
    if (batch.length < BATCH_SIZE) continue
    await importBatch(batch, options, summary)
    batch = []
  }
  await importBatch(batch, options, summary)
  return summary
}

function prepareRow({ line, row }: ReadRow, options: ImportOptions, summary: ImportSummary) {
  summary.read++
  const prepared = prepareUser(row, options.from)
  if (prepared.outcome === 'usable') return { ...prepared, line }
  summary.refused++
  options.onRefused({ line, email: prepared.email, reason: prepared.reason })
  return null
}

/** Of several rows with one e-mail the first is imported, within a batch as across batches. */
async function importBatch(batch: UsableRow[], options: ImportOptions, summary: ImportSummary) {
  const firsts = new Map([...batch].reverse().map((each) => [each.user.email, each]))
  const unique = new Set(batch.filter((each) => firsts.get(each.user.email) === each))
  const added = new Set(unique.size === 0 ? [] : await insertUsers([...unique], options))
  summary.imported += added.size
  summary.skipped += batch.length - added.size
  for (const each of batch) {
    const isFirst = unique.has(each)
    if (!isFirst || !added.has(each.user.email)) reportSkipped(each, isFirst, options)
  }
  options.onProgress(summary)
}

function reportSkipped({ line, user }: UsableRow, isFirst: boolean, options: ImportOptions) {
  const reason = isFirst ? 'is there already' : 'repeats the e-mail of an earlier row'
  options.onSkipped({ line, email: user.email, reason })
}
