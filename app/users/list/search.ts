import { validate as isUuid } from 'uuid'
import { canonicalId } from '#database/canonical_id'
import { replicaOrPrimary } from '#database/replica'
import type { UserQuery } from './user_query.ts'
import { findIdsOnPostgres, findIdsOnSqlite, MATCHES, patternOf } from './find_ids.ts'

/* Where the trigram index (migration 0046) finds few users, their ids narrow the page and its count. */

export type Search = (query: UserQuery) => void

export async function findSearch(text: string | undefined): Promise<Search> {
  if (!text) return () => {}
  const id = text.trim()
  if (isUuid(id)) return (query) => void query.where('id', canonicalId(id))
  const isServer = replicaOrPrimary().dialect.name === 'postgres'
  const ids = await (isServer ? findIdsOnPostgres(text) : findIdsOnSqlite(text))
  const matches = isServer ? MATCHES.postgres : MATCHES.sqlite
  const values = isServer ? [patternOf(text)] : inEachCase(text)
  return (query) => {
    if (ids) query.whereIn('id', ids)
    query.whereRaw(`(${values.map(() => matches).join(' OR ')})`, values)
  }
}

/** More letters are not tried in both cases, because each one doubles the number of texts. */
const MAX_FOLDED = 4

/** SQLite folds the case of ASCII only: MÜLLER and Müller are two texts. */
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
