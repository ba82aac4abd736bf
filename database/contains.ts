import type { DatabaseQueryBuilderContract } from '@adonisjs/lucid/types/querybuilder'

/**
 * `LIKE` compares a repeated prefix again each time: this takes the product of both lengths, and
 * SQLite blocks all requests. These functions compare as fast as memory is read.
 */
export const CONTAINS = {
  postgres: (expression: string) => `strpos(lower(${expression}), lower(?)) > 0`,
  sqlite: (expression: string) => `instr(lower(${expression}), lower(?)) > 0`,
}

/** @param texts by an SQL expression of ours; one of them must contain its text, ignoring case */
export function whereContains(query: DatabaseQueryBuilderContract, texts: Record<string, string>) {
  const contains = query.client.dialect.name === 'postgres' ? CONTAINS.postgres : CONTAINS.sqlite
  const conditions = Object.keys(texts).map(contains)
  return query.whereRaw(`(${conditions.join(' OR ')})`, Object.values(texts))
}
