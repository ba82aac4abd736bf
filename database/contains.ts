import type { DatabaseQueryBuilderContract } from '@adonisjs/lucid/types/querybuilder'

/**
 * `LIKE` compares each beginning that repeats anew: the product of both lengths, while SQLite blocks
 * all requests. These functions compare as fast as memory is read.
 */
const POSITION = { postgres: 'strpos', sqlite: 'instr' }

/** @param texts by an expression of ours: one of them has to contain its text, whatever the case */
export function whereContains(query: DatabaseQueryBuilderContract, texts: Record<string, string>) {
  const position = query.client.dialect.name === 'postgres' ? POSITION.postgres : POSITION.sqlite
  const contains = Object.keys(texts).map((each) => `${position}(lower(${each}), lower(?)) > 0`)
  return query.whereRaw(`(${contains.join(' OR ')})`, Object.values(texts))
}
