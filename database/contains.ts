import type { DatabaseQueryBuilderContract } from '@adonisjs/lucid/types/querybuilder'

/**
 * `LIKE` compares each beginning that repeats anew: the product of both lengths, while SQLite blocks
 * all requests. These functions compare as fast as memory is read.
 */
export const CONTAINS = {
  postgres: (expression: string) => `strpos(lower(${expression}), lower(?)) > 0`,
  sqlite: (expression: string) => `instr(lower(${expression}), lower(?)) > 0`,
}

/** @param texts by an expression of ours: one of them has to contain its text, whatever the case */
export function whereContains(query: DatabaseQueryBuilderContract, texts: Record<string, string>) {
  const contains = query.client.dialect.name === 'postgres' ? CONTAINS.postgres : CONTAINS.sqlite
  const conditions = Object.keys(texts).map(contains)
  return query.whereRaw(`(${conditions.join(' OR ')})`, Object.values(texts))
}
