import { CONTAINS } from '#database/contains'
import { selectRows } from '#database/select_rows'
import { replicaOrPrimary } from '#database/replica'
import { rarePart } from './trigram_sample.ts'
import { trigramsOf } from './trigrams.ts'

/** With more matches, reading in the order of the page is quicker than a list of ids. */
export const MAX_IDS = 1_000

function joined(lineBreak: string) {
  return `(${['email', 'username', "COALESCE(nickname, '')", 'handle'].join(` || ${lineBreak} || `)})`
}

/**
 * Names contain no line break, so one index covers them joined by line breaks. On SQLite `LIKE` would
 * take the product of both lengths (`database/contains.ts`); both fold the case of ASCII only.
 */
export const MATCHES = {
  postgres: `${joined('chr(10)')} ILIKE ?`,
  sqlite: CONTAINS.sqlite(joined('char(10)')),
}

/** A user who types `%` or `_` searches for that character. */
export function patternOf(text: string) {
  return `%${text.replace(/[\\%_]/g, '\\$&')}%`
}

/** @returns null where there are too many ids */
export async function findIdsOnPostgres(text: string) {
  const part = await rarePart(text)
  const ids = part === text ? null : await findByPattern(part, MAX_IDS)
  return ids ?? findByPattern(text, SAMPLE)
}

/** The planner of Postgres chooses the index, so a sample shows whether there are many matches. */
const SAMPLE = 100

async function findByPattern(text: string, limit: number) {
  const sql = `SELECT id FROM users WHERE ${MATCHES.postgres} LIMIT ${limit + 1}`
  const rows = await selectRows<{ id: string }>(replicaOrPrimary(), sql, [patternOf(text)])
  return rows.length <= limit ? rows.map((row) => row.id) : null
}

/** The index of SQLite may also find users whose names only resemble the text. */
export async function findIdsOnSqlite(text: string) {
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
