import app from '@adonisjs/core/services/app'
import type { RedisConnections } from '@adonisjs/redis/types'
import type { RedisConnection } from './redis/connection.ts'
import env from '#start/env'

/** Empties Redis, which contains data of replaced users. The tables of a database are empty. */
export async function emptyStore() {
  const connection = await storeConnection()
  await connection?.removeAll()
}

/** Call it before the first change. @throws if Redis does not answer */
export async function assertStoreAnswers() {
  const connection = await storeConnection()
  await connection?.ping()
}

let connection: RedisConnection | undefined

/** Returns null for a store in the database. */
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
