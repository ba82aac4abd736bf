import app from '@adonisjs/core/services/app'
import type { RedisConnections } from '@adonisjs/redis/types'
import type { RedisConnection } from './redis/connection.ts'
import env from '#start/env'

/** Redis has sessions and attempts of users who are replaced; the tables of SQLite and Postgres are empty. */
export async function emptyStore() {
  const connection = await storeConnection()
  await connection?.removeAll()
}

/** Before anything is changed. @throws where Redis does not answer */
export async function assertStoreAnswers() {
  const connection = await storeConnection()
  await connection?.ping()
}

let connection: RedisConnection | undefined

/** Null for a store in the database. */
export async function storeConnection() {
  if (env.get('STORE') !== 'redis') return null
  const { RedisConnection, waitUntilReady } = await import('./redis/connection.ts')
  const redis = await app.container.make('redis')
  connection ??= new RedisConnection(redis.connection(STORE).ioConnection)
  await waitUntilReady(connection.client, START_WAIT_MS)
  return connection
}

const STORE = 'store' as keyof RedisConnections

const START_WAIT_MS = 2_000
