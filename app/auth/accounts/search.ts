import db from '@adonisjs/lucid/services/db'
import { selectRows } from '#auth/store/sql'
import { listDatabase } from '#database/lists'
import type User from '#models/user'
import type { ModelQueryBuilderContract } from '@adonisjs/lucid/types/model'

/*
 | Part of an e-mail, username or nickname, in any case. An index of trigrams names the few
 | that a search means, once for the page and its total (migration 0011).
 */

/** Narrows a query to the accounts that a search means. */
export type Search = (query: UserQuery) => void

type UserQuery = ModelQueryBuilderContract<typeof User>

/** Of more than these a page is found sooner along its order, where the next match is never far. */
const FEW = 1_000

/** The names of an account, a line each: no name holds the end of a line. One index holds them all. */
const MATCHES = {
  postgres: "(email || chr(10) || username || chr(10) || COALESCE(nickname, '')) ILIKE ?",
  sqlite: `(email || char(10) || username || char(10) || COALESCE(nickname, '')) LIKE ? ESCAPE '\\'`,
}

/** Prepares a search; without a text it narrows nothing. */
export async function searchFor(text: string | null | undefined): Promise<Search> {
  if (!text) return () => {}
  /** `%` and `_` stand for themselves: who types them looks for them. */
  const pattern = `%${text.replace(/[\\%_]/g, '\\$&')}%`
  const isServer = db.connection().dialect.name === 'postgres'
  const named = await (isServer ? findMatching(pattern) : findNamed(text))
  const matches = isServer ? MATCHES.postgres : MATCHES.sqlite
  return (query) => {
    if (named) query.whereIn('id', named)
    query.whereRaw(matches, [pattern])
  }
}

/** Postgres decides by itself how to find them, so a sample tells whether they are few. */
const SAMPLE = 100

async function findMatching(pattern: string) {
  const sql = `SELECT id FROM users WHERE ${MATCHES.postgres} LIMIT ${SAMPLE + 1}`
  const rows = await selectRows<{ id: string }>(listDatabase(), sql, [pattern])
  return rows.length <= SAMPLE ? rows.map((row) => row.id) : null
}

const NAMED = `SELECT user_id FROM user_names_keys WHERE key IN
  (SELECT rowid FROM user_names WHERE user_names MATCH ? LIMIT ${FEW + 1})`

/** Those that the index names, among them maybe some that only look alike; null for many. */
async function findNamed(text: string) {
  const trigrams = trigramsOf(text)
  if (!trigrams) return null
  const rows = await selectRows<{ user_id: string }>(db.connection(), NAMED, [trigrams])
  return rows.length <= FEW ? rows.map((row) => row.user_id) : null
}

/**
 * Every three characters in a row, each of which has to be there (sqlite.org/fts5.html, 4.3.5);
 * null for a text that is too short for one, or that SQLite would read as a shorter one.
 */
function trigramsOf(text: string) {
  const characters = [...text]
  if (characters.length < 3 || text.includes('\0')) return null
  const trigrams = characters.slice(2).map((_, at) => characters.slice(at, at + 3).join(''))
  return [...new Set(trigrams)].map((each) => `"${each.replaceAll('"', '""')}"`).join(' AND ')
}
