import { v7 as uuidv7, validate as isUuid } from 'uuid'
import db from '@adonisjs/lucid/services/db'
import { DEFAULT_ROLE } from '#models/user'
import { ROLES } from '#auth/roles'
import { foreignHashOf } from '#auth/passwords/foreign_hashes'
import { recordAudit } from '#audit/trail'
import { canonicalEmail } from '#auth/email'
import { identitiesOf, originOf, type Identity } from './imported_identities.ts'
import { isTrue, MAPPINGS, type ImportedUser } from './formats.ts'
import { UnreadableRow } from './unreadable_row.ts'
import type { Actor } from '#audit/actor'
import type { ReadRow } from './read_rows.ts'
import type { Transaction } from '#database/transaction'

/** What became of a row that was not imported. */
export interface RefusedRow {
  line: number
  email: string | null
  reason: string
}

export interface ImportSummary {
  read: number
  imported: number
  /** There already: running an import again goes on where it stopped. */
  skipped: number
  refused: number
}

export interface ImportOptions {
  /** A key of `MAPPINGS`. */
  from: string
  dryRun: boolean
  actor: Actor
  onRefused: (row: RefusedRow) => void
  /** A row whose user is there, from before or from an earlier row. */
  onSkipped: (row: RefusedRow) => void
  onProgress: (summary: ImportSummary) => void
}

/** A row of an export as a row of ours, or why it cannot be one. */
type Prepared =
  | { outcome: 'usable'; user: UserRow & { email: string }; identities: Identity[] }
  | { outcome: 'refused'; email: string | null; reason: string }

type UserRow = Record<string, string | number | boolean | null>
type Usable = Extract<Prepared, { outcome: 'usable' }> & { line: number }

/** Of one user. A batch must fit into a statement, whatever its rows hold. */
const MOST_IDENTITIES = 20

/** Rows of one statement: databases bound how many values it has. */
const CHUNK = 500

/** Rows of one transaction: large enough to be quick, small enough to lose little. */
const BATCH = 500

/**
 * Imports users in batches, each in a transaction with its audit event. Who is there
 * already stays as they are.
 */
export async function importUsers(rows: AsyncIterable<ReadRow>, options: ImportOptions) {
  const summary: ImportSummary = { read: 0, imported: 0, skipped: 0, refused: 0 }
  let batch: Usable[] = []
  for await (const { line, row } of rows) {
    summary.read++
    const prepared = prepare(row, options.from)
    if (prepared.outcome === 'usable') batch.push({ ...prepared, line })
    else {
      summary.refused++
      options.onRefused({ line, email: prepared.email, reason: prepared.reason })
    }
    if (batch.length < BATCH) continue
    await importBatch(batch, options, summary)
    batch = []
  }
  await importBatch(batch, options, summary)
  return summary
}

/** Of several rows with one e-mail the first counts, in a batch as among batches. */
async function importBatch(batch: Usable[], options: ImportOptions, summary: ImportSummary) {
  const firsts = new Map([...batch].reverse().map((each) => [each.user.email, each]))
  const unique = batch.filter((each) => firsts.get(each.user.email) === each)
  const added = new Set(unique.length === 0 ? [] : await store(unique, options))
  summary.imported += added.size
  summary.skipped += batch.length - added.size
  for (const each of batch) {
    const { line, user } = each
    const isFirst = firsts.get(user.email) === each
    if (isFirst && added.has(user.email)) continue
    const reason = isFirst ? 'is there already' : 'repeats the e-mail of an earlier row'
    options.onSkipped({ line, email: user.email, reason })
  }
  options.onProgress(summary)
}

/** The unique index decides who is there already; a dry run undoes what it did. */
async function store(users: Usable[], { dryRun, actor, from }: ImportOptions) {
  const trx = await db.transaction()
  try {
    const added = await insertMissing(users, trx)
    if (dryRun || added.length === 0) {
      await trx.rollback()
      return added
    }
    const details = { from, users: added.length, first: added[0], last: added.at(-1) }
    await recordAudit({ action: 'accounts.imported', actor, targetId: null, details }, trx)
    await trx.commit()
    return added
  } catch (error) {
    await trx.rollback()
    throw error
  }
}

async function insertMissing(users: Usable[], trx: Transaction) {
  const rows: { email: string }[] = await trx
    .knexQuery()
    .insert(users.map(({ user }) => user))
    .into('users')
    .onConflict()
    .ignore()
    .returning('email')
  const added = new Set(rows.map(({ email }) => email))
  const identities = users.flatMap(({ user, identities: known }) =>
    added.has(user.email) ? known.map((each) => ({ ...each, user_id: user.id })) : []
  )
  for (let at = 0; at < identities.length; at += CHUNK) {
    const chunk = identities.slice(at, at + CHUNK)
    await trx.knexQuery().insert(chunk).into('identities').onConflict().ignore()
  }
  return [...added]
}

function prepare(row: ReadRow['row'], from: string): Prepared {
  if (row instanceof UnreadableRow) return refusal(null, row.reason)
  try {
    return toUser(MAPPINGS[from](row))
  } catch (error) {
    if (error instanceof UnreadableRow) return refusal(null, error.reason)
    return refusal(null, `is not shaped as an export of ${from}`)
  }
}

function refusal(email: string | null, reason: string): Prepared {
  return { outcome: 'refused', email, reason }
}

function toUser(imported: ImportedUser): Prepared {
  const given = text(imported.email)
  const email = given && canonicalEmail(given)
  if (!given) return refusal(null, 'has no e-mail: the column or member is called email')
  if (!email) return refusal(given, 'has no valid e-mail')
  const role = text(imported.role) ?? DEFAULT_ROLE
  if (!ROLES.includes(role)) return refusal(email, `has the unknown role ${role}`)
  const password = text(imported.passwordHash)
  if (password && !foreignHashOf(password)) {
    return refusal(email, 'has a password hash of an unknown kind or beyond the cost limits')
  }
  const identities = identitiesOf(imported.identities)
  if (identities.length > MOST_IDENTITIES) return refusal(email, 'has too many identities')
  const user = { ...rowOf(imported, { email, role, password }), ...originOf(identities) }
  return { outcome: 'usable', user, identities }
}

function rowOf(
  imported: ImportedUser,
  { email, role, password }: { email: string; role: string; password: string | null }
): UserRow & { email: string } {
  const now = Date.now()
  return {
    id: isUuid(imported.id) ? String(imported.id).toLowerCase() : uuidv7(),
    email,
    username: name(imported.username) ?? email.split('@')[0],
    nickname: name(imported.nickname),
    role,
    password,
    password_changed_at: now,
    email_verified_at: isTrue(imported.emailVerified) ? now : null,
    disabled_at: isTrue(imported.disabled) ? now : null,
    created_at: instant(imported.createdAt) ?? now,
    updated_at: now,
  }
}

function text(value: unknown) {
  return typeof value === 'string' && value.trim() !== '' ? value.trim() : null
}

/** A name without what could disguise it, of a hundred characters at most. */
function name(value: unknown) {
  const shown = text(value)?.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, '')
  return shown ? [...shown].slice(0, 100).join('') : null
}

/** ISO 8601, or milliseconds since the epoch. */
function instant(value: unknown) {
  const written = String(value ?? '')
  const milliseconds = /^\d{10,14}$/.test(written) ? Number(written) : Date.parse(written)
  return Number.isFinite(milliseconds) && milliseconds > 0 ? milliseconds : null
}
