import { validate as isUuid } from 'uuid'
import { canonicalId } from '#database/canonical_id'
import { selectRows } from '#database/select_rows'
import { replicaOrPrimary } from '#database/replica'
import { rarePart, trigramsOf } from './trigrams.ts'
import type { UserQuery } from './user_query.ts'

/*
 | Search for part of an e-mail, username or nickname, in any case. Where an index of
 | trigrams (migration 0011) finds few users, their ids narrow the page and its count.
 */

/** Narrows a query to the users who match. */
export type Search = (query: UserQuery) => void

/**
 * Up to so many matches are narrowed by their ids. With more, a page is found sooner by
 * reading along its order, where the next match is never far.
 */
const MAX_IDS = 1_000

/** The names of a user, one on each line: no name contains a line break. One index covers all. */
const MATCHES = {
  postgres: "(email || chr(10) || username || chr(10) || COALESCE(nickname, '')) ILIKE ?",
  sqlite: `(email || char(10) || username || char(10) || COALESCE(nickname, '')) LIKE ? ESCAPE '\\'`,
}

/** Looks a text up; an empty one narrows nothing. */
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

/** Up to so many letters are looked for in both cases: each doubles the patterns. */
const MAX_FOLDED = 4

/** `LIKE` of SQLite folds the case of ASCII alone: MÜLLER and Müller are two patterns for it. */
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

/** As typed, small, large, and as a name is written. */
function usualCasesOf(text: string) {
  const small = text.toLowerCase()
  const asName = small.replace(/(?<!\p{L})\p{L}/gu, (first) => first.toUpperCase())
  return [...new Set([text, small, text.toUpperCase(), asName])]
}

/** `%` and `_` are escaped: a user who types them looks for them. */
function patternOf(text: string) {
  return `%${text.replace(/[\\%_]/g, '\\$&')}%`
}

/** The ids that the rare part of the text finds, or all of it; null where they are many. */
async function findIdsOnPostgres(text: string) {
  const part = await rarePart(text)
  const ids = part === text ? null : await findByPattern(part, MAX_IDS)
  return ids ?? findByPattern(text, SAMPLE)
}

/** The planner of Postgres chooses the index by itself, so a few rows tell whether there are many. */
const SAMPLE = 100

async function findByPattern(text: string, limit: number) {
  const sql = `SELECT id FROM users WHERE ${MATCHES.postgres} LIMIT ${limit + 1}`
  const rows = await selectRows<{ id: string }>(replicaOrPrimary(), sql, [patternOf(text)])
  return rows.length <= limit ? rows.map((row) => row.id) : null
}

/** The same on SQLite, whose index may find users that only look alike. */
async function findIdsOnSqlite(text: string) {
  if ([...text].length < 3 || text.includes('\0')) return null
  const part = await rarePart(text)
  const ids = part === text ? null : await findByTrigrams(part)
  return ids ?? findByTrigrams(text)
}

const IDS_BY_TRIGRAMS = `SELECT user_id FROM user_names_keys WHERE key IN
  (SELECT rowid FROM user_names WHERE user_names MATCH ? LIMIT ${MAX_IDS + 1})`

/** Every trigram of the text has to match (sqlite.org/fts5.html, 4.3.5). */
async function findByTrigrams(text: string) {
  const quoted = trigramsOf(text).map((each) => `"${each.replaceAll('"', '""')}"`)
  const match = [...new Set(quoted)].join(' AND ')
  const rows = await selectRows<{ user_id: string }>(replicaOrPrimary(), IDS_BY_TRIGRAMS, [match])
  return rows.length <= MAX_IDS ? rows.map((row) => row.user_id) : null
}
