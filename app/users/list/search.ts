import db from '@adonisjs/lucid/services/db'
import { selectRows } from '#database/select_rows'
import { replicaOrPrimary } from '#database/replica'
import { rarePart, trigramsOf } from './trigrams.ts'
import type User from '#models/user'
import type { ModelQueryBuilderContract } from '@adonisjs/lucid/types/model'

/*
 | Part of an e-mail, username or nickname, in any case. An index of trigrams names the few
 | that a search means, once for the page and its total (migration 0011).
 */

/** Narrows a query to the users that a search means. */
export type Search = (query: UserQuery) => void

type UserQuery = ModelQueryBuilderContract<typeof User>

/** Of more than these a page is found sooner along its order, where the next match is never far. */
const FEW = 1_000

/** The names of a user, a line each: no name holds the end of a line. One index holds them all. */
const MATCHES = {
  postgres: "(email || chr(10) || username || chr(10) || COALESCE(nickname, '')) ILIKE ?",
  sqlite: `(email || char(10) || username || char(10) || COALESCE(nickname, '')) LIKE ? ESCAPE '\\'`,
}

/** Prepares a search; without a text it narrows nothing. */
export async function searchFor(text: string | null | undefined): Promise<Search> {
  if (!text) return () => {}
  const pattern = patternOf(text)
  const isServer = db.connection().dialect.name === 'postgres'
  const named = await (isServer ? findMatching(text) : findNamed(text))
  const matches = isServer ? MATCHES.postgres : MATCHES.sqlite
  return (query) => {
    if (named) query.whereIn('id', named)
    query.whereRaw(matches, [pattern])
  }
}

/** `%` and `_` stand for themselves: who types them looks for them. */
function patternOf(text: string) {
  return `%${text.replace(/[\\%_]/g, '\\$&')}%`
}

/** Those whom the rare part of the text names, if they are few; else those whom all of it names. */
async function findMatching(text: string) {
  const part = await rarePart(text)
  const ids = part === text ? null : await findIn(part, FEW)
  return ids ?? findIn(text, SAMPLE)
}

/** Postgres decides by itself how to find them, so a sample tells whether they are few. */
const SAMPLE = 100

async function findIn(text: string, limit: number) {
  const sql = `SELECT id FROM users WHERE ${MATCHES.postgres} LIMIT ${limit + 1}`
  const rows = await selectRows<{ id: string }>(replicaOrPrimary(), sql, [patternOf(text)])
  return rows.length <= limit ? rows.map((row) => row.id) : null
}

const NAMED = `SELECT user_id FROM user_names_keys WHERE key IN
  (SELECT rowid FROM user_names WHERE user_names MATCH ? LIMIT ${FEW + 1})`

/** The same by the index of SQLite, which may name some that only look alike; null for many. */
async function findNamed(text: string) {
  if ([...text].length < 3 || text.includes('\0')) return null
  const part = await rarePart(text)
  const ids = part === text ? null : await findByTrigrams(part)
  return ids ?? findByTrigrams(text)
}

/** Each of the trigrams has to be there (sqlite.org/fts5.html, 4.3.5). */
async function findByTrigrams(text: string) {
  const quoted = trigramsOf(text).map((each) => `"${each.replaceAll('"', '""')}"`)
  const query = [...new Set(quoted)].join(' AND ')
  const rows = await selectRows<{ user_id: string }>(db.connection(), NAMED, [query])
  return rows.length <= FEW ? rows.map((row) => row.user_id) : null
}
