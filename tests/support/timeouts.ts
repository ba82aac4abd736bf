/**
 * Milliseconds that the product waits for its database and Redis if tests run in its process.
 * Its own limits are a fraction of a second. On a busy machine, an answer that has arrived may be
 * read later: the refusal would be right, but the test would fail. The process suite tests those
 * limits.
 */
const TIMEOUT_MS = 20_000

/** Raises the limits. Call it before anything connects. */
export async function raiseTimeouts() {
  const { default: database } = await import('#config/database')
  const { default: redis } = await import('#config/redis')
  const { sessionLimits } = await import('#database/postgres_connection')
  const { sqlite, pg } = database.connections as any
  for (const { pool } of [sqlite, pg]) pool.acquireTimeoutMillis = TIMEOUT_MS
  const inConnection = { connectionTimeoutMillis: TIMEOUT_MS, query_timeout: TIMEOUT_MS }
  Object.assign(pg.connection, inConnection)
  Object.assign(sessionLimits, { lock_timeout: TIMEOUT_MS, statement_timeout: TIMEOUT_MS })
  pg.pool.createTimeoutMillis = TIMEOUT_MS
  for (const connection of Object.values(redis.connections) as any[]) {
    const options = connection.clusterOptions?.redisOptions ?? connection
    Object.assign(options, { connectTimeout: TIMEOUT_MS, commandTimeout: TIMEOUT_MS })
    Object.assign(options, { socketTimeout: 2 * TIMEOUT_MS })
  }
}
