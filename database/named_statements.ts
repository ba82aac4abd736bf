import { createHash } from 'node:crypto'
import app from '@adonisjs/core/services/app'
import logger from '@adonisjs/core/services/logger'
import type { PoolClient, QueryConfig } from 'pg'
import { wrapQuery, type Query, type RunQuery } from './wrap_query.ts'

/** More texts than the product has, except that each length of a list of ids makes another text. */
const MOST = 500

const names = new Map<string, string>()

let isPreparing = true

/** Behind a pooler, a named statement of a transaction may fail, which would abort the start. */
function mayName() {
  return isPreparing && app.isReady
}

/** The pool of knex destroys a connection with this mark. */
interface Disposable {
  __knex__disposed?: unknown
}

/** Postgres parses and plans a named statement once for a connection (docs/performance.md). */
export function nameStatements(connection: PoolClient) {
  wrapQuery(connection, (run) => (query) => runNamed(connection, run, query))
}

/** Removes names behind a pooler, because the limiter names its statements itself. */
export function prepareNothing(connection: PoolClient) {
  wrapQuery(connection, (run) => (query) => run(withoutName(query)))
}

function withoutName(query: Query): Query {
  return typeof query === 'string' ? query : { ...query, name: undefined }
}

async function runNamed(connection: PoolClient, run: RunQuery, query: Query) {
  const name = nameOf(query)
  if (!name) return run(mayName() ? query : withoutName(query))
  const isAlone = connection.getTransactionStatus() === 'I'
  try {
    return await run({ ...(query as QueryConfig), name })
  } catch (error) {
    if (!isOutdated(error) && !isShuffled(error)) throw error
    ;(connection as Disposable).__knex__disposed = error
    if (!isAlone) throw error
    return run(withoutName(query))
  }
}

/** Returns a hash: behind a pooler, processes share connections and their prepared statements. */
function nameOf(query: Query) {
  if (!mayName() || typeof query === 'string' || !query.values?.length) return null
  const known = names.get(query.text)
  if (known || names.size >= MOST) return known ?? null
  const name = createHash('sha256').update(query.text).digest('base64url').slice(0, 22)
  names.set(query.text, name)
  return name
}

/** Detects a pooler that keeps no prepared statements; this process then prepares none. */
function isShuffled(error: any) {
  if (error.code !== '26000' && error.code !== '42P05') return false
  if (isPreparing)
    logger.warn('a pooler keeps no prepared statements: DATABASE_URL needs prepared_statements=off')
  isPreparing = false
  return true
}

/** Detects that a newer process has migrated the columns that a statement with `*` returns. */
function isOutdated(error: any) {
  return error.code === '0A000' && /cached plan/.test(error.message)
}
