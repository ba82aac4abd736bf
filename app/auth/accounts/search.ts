import db from '@adonisjs/lucid/services/db'
import { selectRows } from '#auth/store/sql'
import type User from '#models/user'
import type { ModelQueryBuilderContract } from '@adonisjs/lucid/types/model'

/*
 | Part of an e-mail, username or nickname, in any case. Postgres decides by itself when
 | its index of trigrams helps (`users_names`); on SQLite that decision is made here.
 */

/** Narrows a query to the accounts that a search means. */
export type Search = (query: ModelQueryBuilderContract<typeof User>) => void

/**
 * Up to here the index names the accounts; of more, a page is found sooner by walking along
 * its order, where the next match is never far.
 */
const FEW = 1_000

/** Prepares a search; without a text it narrows nothing. */
export async function searchFor(text: string | null | undefined): Promise<Search> {
  if (!text) return () => {}
  if (db.connection().dialect.name === 'postgres') return (query) => contains(query, text, 'ILIKE')
  const trigrams = trigramsOf(text)
  const isRare = trigrams && (await hasFew(trigrams))
  return (query) => {
    if (isRare) query.whereRaw(NAMED, [trigrams])
    contains(query, text, 'LIKE')
  }
}

/** `%` and `_` stand for themselves: who types them looks for them. */
function contains(query: Parameters<Search>[0], text: string, like: 'LIKE' | 'ILIKE') {
  const pattern = `%${text.replace(/[\\%_]/g, '\\$&')}%`
  query.where((any) => {
    for (const column of ['email', 'username', 'nickname']) {
      any.orWhereRaw(`${column} ${like} ? ESCAPE '\\'`, [pattern])
    }
  })
}

const NAMED = `id IN (SELECT user_id FROM user_names_keys WHERE key IN
  (SELECT rowid FROM user_names WHERE user_names MATCH ?))`

const COUNT_FEW = `SELECT count(*) AS total FROM
  (SELECT 1 FROM user_names WHERE user_names MATCH ? LIMIT ${FEW + 1})`

async function hasFew(trigrams: string) {
  const [{ total }] = await selectRows<{ total: number }>(db.connection(), COUNT_FEW, [trigrams])
  return total <= FEW
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
