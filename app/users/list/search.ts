import { validate as isUuid } from 'uuid'
import { canonicalId } from '#database/canonical_id'
import { selectRows } from '#database/select_rows'
import { replicaOrPrimary } from '#database/replica'
import { rarePart, trigramsOf } from './trigrams.ts'
import type { UserQuery } from './user_query.ts'

/* Where the trigram index (migration 0046) finds few users, their ids narrow the page and its count. */

export type Search = (query: UserQuery) => void

/** With more matches, reading along the order finds a page sooner than a list of ids. */
const MAX_IDS = 1_000

function joined(lineBreak: string) {
  return `(${['email', 'username', "COALESCE(nickname, '')", 'handle'].join(` || ${lineBreak} || `)})`
}

/** Names contain no line break, so one index covers them joined by line breaks. */
const MATCHES = {
  postgres: `${joined('chr(10)')} ILIKE ?`,
  sqlite: `${joined('char(10)')} LIKE ? ESCAPE '\\'`,
}

export async function findSearch(text: string | undefined): Promise<Search> {
  if (!text) return () => {}
  const id = text.trim()
  if (isUuid(id)) return (query) => void query.where('id', canonicalId(id))
  const isServer = replicaOrPrimary().dialect.name === 'postgres'
  const ids = await (isServer ? findIdsOnPostgres(text) : findIdsOnSqlite(text))
  const matches = isServer ? MATCHES.postgres : MATCHES.sqlite
  const patterns = (isServer ? [text] : inEachCase(text)).map(patternOf)
  return (query) => {
    if (ids) query.whereIn('id', ids)
    query.whereRaw(`(${patterns.map(() => matches).join(' OR ')})`, patterns)
  }
}

/** More letters are not tried in both cases, because each doubles the patterns. */
const MAX_FOLDED = 4

/** `LIKE` of SQLite folds ASCII case alone: MÜLLER and Müller need two patterns. */
function inEachCase(text: string) {
  const letters = [...text].map(casesOf)
  const folded = letters.filter((cases) => cases.length > 1)
  return folded.length > MAX_FOLDED ? usualCasesOf(text) : combine(letters)
}

function casesOf(letter: string) {
  const isAscii = letter.codePointAt(0)! < 0x80
  return isAscii ? [letter] : [...new Set([letter.toLowerCase(), letter.toUpperCase()])]
}

function combine(letters: string[][]) {
  return letters.reduce(
    (starts, cases) => starts.flatMap((start) => cases.map((letter) => start + letter)),
    ['']
  )
}

function usualCasesOf(text: string) {
  const small = text.toLowerCase()
  const asName = small.replace(/(?<!\p{L})\p{L}/gu, (first) => first.toUpperCase())
  return [...new Set([text, small, text.toUpperCase(), asName])]
}

/** A user who types `%` or `_` searches for that character. */
function patternOf(text: string) {
  return `%${text.replace(/[\\%_]/g, '\\$&')}%`
}

/** @returns null where there are too many ids */
async function findIdsOnPostgres(text: string) {
  const part = await rarePart(text)
  const ids = part === text ? null : await findByPattern(part, MAX_IDS)
  return ids ?? findByPattern(text, SAMPLE)
}

/** The planner of Postgres chooses the index itself, so a sample tells whether matches are many. */
const SAMPLE = 100

async function findByPattern(text: string, limit: number) {
  const sql = `SELECT id FROM users WHERE ${MATCHES.postgres} LIMIT ${limit + 1}`
  const rows = await selectRows<{ id: string }>(replicaOrPrimary(), sql, [patternOf(text)])
  return rows.length <= limit ? rows.map((row) => row.id) : null
}

/** The index of SQLite may also find users whose names only resemble the text. */
async function findIdsOnSqlite(text: string) {
  if ([...text].length < 3 || text.includes('\0')) return null
  const part = await rarePart(text)
  const ids = part === text ? null : await findByTrigrams(part)
  return ids ?? findByTrigrams(text)
}

const IDS_BY_TRIGRAMS = `SELECT user_id FROM user_names_keys WHERE key IN
  (SELECT rowid FROM user_names WHERE user_names MATCH ? LIMIT ${MAX_IDS + 1})`

/** Every trigram of the text must match (sqlite.org/fts5.html, 4.3.5). */
async function findByTrigrams(text: string) {
  const quoted = trigramsOf(text).map((each) => `"${each.replaceAll('"', '""')}"`)
  const match = [...new Set(quoted)].join(' AND ')
  const rows = await selectRows<{ user_id: string }>(replicaOrPrimary(), IDS_BY_TRIGRAMS, [match])
  return rows.length <= MAX_IDS ? rows.map((row) => row.user_id) : null
}
