import { isHashOutdated } from '#auth/passwords/password_hash'
import { columnOf, isDataError, type DataError } from '#database/data_error'
import { ClientIdUsed } from '#auth/tokens/client_ids'
import { GroupChoice } from './group_choice.ts'
import { prepareUser } from './imported_user.ts'
import { insertUsers, type UsableRow } from './insert_users.ts'
import type { Actor } from '#audit/actor'
import type { ReadRow } from './read_rows.ts'

export interface RefusedRow {
  line: number
  email: string | null
  /** The member or column at fault; null for the whole row. */
  field: string | null
  reason: string
}

export interface ImportSummary {
  read: number
  imported: number
  /** Rows of existing users: a repeated import continues where it stopped. */
  skipped: number
  refused: number
  /** Users who got another handle than they had or would have got. */
  renamed: number
  otherHashes: number
}

export interface ImportOptions {
  /** A key of `MAPPINGS`. */
  from: string
  dryRun: boolean
  actor: Actor
  onRefused: (row: RefusedRow) => void
  onSkipped: (row: RefusedRow) => void
  /** Receives a user whose handle got a number. */
  onRenamed: (row: RefusedRow) => void
  /** Receives a group that is left out, or one of several groups of the same name. */
  onGroup?: (row: RefusedRow) => void
  onProgress: (summary: ImportSummary) => void
}

type ChosenOptions = ImportOptions & { choice: GroupChoice }

/** Rows of one transaction: enough to be quick, and few to repeat after a failure. */
const BATCH_SIZE = 500

/** Each batch is a transaction with its audit event. Existing users stay unchanged. */
export async function importUsers(rows: AsyncIterable<ReadRow>, given: ImportOptions) {
  const options = { ...given, choice: new GroupChoice(given) }
  const summary: ImportSummary = {
    read: 0,
    imported: 0,
    skipped: 0,
    refused: 0,
    renamed: 0,
    otherHashes: 0,
  }
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
  const { outcome, ...refused } = prepared
  summary.refused++
  options.onRefused({ line, ...refused })
  return null
}

/** Imports the first row of each e-mail address, within a batch as across batches. */
async function importBatch(batch: UsableRow[], options: ChosenOptions, summary: ImportSummary) {
  const firsts = new Map([...batch].reverse().map((each) => [each.user.email, each]))
  const unique = new Set(batch.filter((each) => firsts.get(each.user.email) === each))
  const { added, refused } = await insertOrRefuse([...unique], options)
  count({ batch, added, refused }, summary)
  for (const row of refused) options.onRefused(row)
  const renamed = [...unique].filter((row) => handleIn(added, row) !== row.user.handle)
  summary.renamed += renamed.length
  for (const row of renamed) reportRenamed(row, handleIn(added, row), options)
  const lines = new Set(refused.map(({ line }) => line))
  for (const each of batch.filter(({ line }) => !lines.has(line))) {
    const isFirst = unique.has(each)
    if (!isFirst || !added.has(each.user.email)) reportSkipped(each, isFirst, options)
  }
  options.onProgress(summary)
}

interface Inserted {
  /** Handles by e-mail address. */
  added: Map<string, string>
  refused: RefusedRow[]
}

function count(
  { batch, added, refused }: Inserted & { batch: UsableRow[] },
  summary: ImportSummary
) {
  summary.imported += added.size
  summary.refused += refused.length
  summary.skipped += batch.length - added.size - refused.length
  const passwords = batch
    .filter(({ user }) => added.has(user.email))
    .map(({ user }) => user.password)
  summary.otherHashes += passwords.filter((each) => each && isHashOutdated(each)).length
}

/** Halves the batch until it finds the row that the database refuses, so that the others are imported. */
async function insertOrRefuse(users: UsableRow[], options: ChosenOptions): Promise<Inserted> {
  if (users.length === 0) return { added: new Map(), refused: [] }
  try {
    const added = await insertUsers(users, options)
    return { added: new Map(added.map(({ user }) => [user.email, user.handle])), refused: [] }
  } catch (error) {
    if (!isDataError(error)) throw error
    if (users.length === 1)
      return { added: new Map(), refused: [refusedByDatabase(users[0], error)] }
    const half = Math.ceil(users.length / 2)
    const first = await insertOrRefuse(users.slice(0, half), options)
    const second = await insertOrRefuse(users.slice(half), options)
    const refused = [...first.refused, ...second.refused]
    return { added: new Map([...first.added, ...second.added]), refused }
  }
}

function refusedByDatabase({ line, user }: UsableRow, error: DataError): RefusedRow {
  const reason =
    error instanceof ClientIdUsed
      ? 'is the id of an application'
      : `is refused by the database (${error.code})`
  return { line, email: user.email, field: columnOf(error), reason }
}

function handleIn(added: Map<string, string>, { user }: UsableRow) {
  return added.get(user.email) ?? user.handle
}

function reportRenamed({ line, user }: UsableRow, handle: string, options: ImportOptions) {
  const reason = `gets the handle ${handle}: ${user.handle} is taken or reserved`
  options.onRenamed({ line, email: user.email, field: 'handle', reason })
}

function reportSkipped({ line, user }: UsableRow, isFirst: boolean, options: ImportOptions) {
  const reason = isFirst ? 'is there already' : 'repeats the e-mail of an earlier row'
  options.onSkipped({ line, email: user.email, field: 'email', reason })
}
