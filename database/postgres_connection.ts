import pg from 'pg'
import app from '@adonisjs/core/services/app'
import env from '#start/env'
import { watchChanges } from './change_watch.ts'
import type { RedisStore } from '#auth/store/redis/store'

/** Every bigint of the product is a point in time in milliseconds: a number holds it exactly. */
pg.types.setTypeParser(pg.types.builtins.INT8, Number)

const server = env.get('DATABASE_URL')
  ? { connectionString: env.get('DATABASE_URL') }
  : {
      host: env.get('DB_HOST'),
      port: env.get('DB_PORT'),
      user: env.get('DB_USER'),
      password: env.get('DB_PASSWORD'),
      database: env.get('DB_DATABASE'),
    }

/**
 * How long a request may wait for the database, in milliseconds: for a place in the pool
 * and then for a statement, together less than the three seconds in which it is answered.
 */
const TIMEOUTS = {
  /** For a connection of the pool, and for the server to accept a new one. */
  acquire: 1_000,
  connect: 900,
  /** For a row or table that another transaction holds. */
  lock: 1_500,
  /** For a statement: the server stops it, and the client gives up where the server is frozen. */
  statement: 1_700,
  answer: 1_900,
  /** For a transaction whose process no longer speaks: its locks must not outlive it for long. */
  idleInTransaction: 10_000,
}

/** Commands and migrations do what takes its time; nobody waits at the other end of a socket. */
const isRequest = app.getEnvironment() !== 'console'

const request = {
  connectionTimeoutMillis: TIMEOUTS.connect,
  lock_timeout: TIMEOUTS.lock,
  statement_timeout: TIMEOUTS.statement,
  query_timeout: TIMEOUTS.answer,
  idle_in_transaction_session_timeout: TIMEOUTS.idleInTransaction,
}

const base = { ...server, application_name: 'gatehouse', keepAlive: true }

/** The connection of requests. */
export const requestConnection = isRequest ? { ...base, ...request } : base

/** Without any limit but the one on connecting: for migrations. */
export const maintenanceConnection = { ...base, connectionTimeoutMillis: 5_000 }

/** A second server that may lag a little: lists are read from it, and nothing that decides. */
export const replicaConnection = env.get('DATABASE_REPLICA_URL')
  ? { ...requestConnection, connectionString: env.get('DATABASE_REPLICA_URL') }
  : null

export const requestPool = {
  min: 0,
  max: env.get('DB_POOL_SIZE'),
  acquireTimeoutMillis: isRequest ? TIMEOUTS.acquire : 10_000,
  createTimeoutMillis: isRequest ? TIMEOUTS.connect : 10_000,
  createRetryIntervalMillis: 100,
  afterCreate: prepare,
}

type Prepared = (error: unknown, connection: unknown) => void

/** With Redis beside it, what a connection commits is announced there (`change_watch.ts`). */
function prepare(connection: pg.PoolClient, done: Prepared) {
  leaveWhenSilent(connection)
  const listener = async () => (await app.container.make('token_store')) as RedisStore
  if (env.get('STORE') === 'redis') watchChanges(connection, listener)
  done(null, connection)
}

/**
 * A connection that did not answer in time may answer later, in the middle of somebody
 * else's question. It is left at once: the pool discards what is marked as disposed, and
 * closing the socket makes whatever was still to be said on it fail without a wait.
 */
function leaveWhenSilent(connection: pg.PoolClient & { __knex__disposed?: unknown }) {
  const query = connection.query.bind(connection) as (...args: any[]) => any
  const leave = (error: Error | null) => {
    if (error?.message !== 'Query read timeout') return
    connection.__knex__disposed = error
    ;(connection as any).connection.stream.destroy()
  }
  const watched = (...args: any[]) => {
    const callback = args.at(-1)
    if (typeof callback !== 'function') {
      const answer = query(...args)
      answer?.catch?.(leave)
      return answer
    }
    const observe = (error: Error | null, result: unknown) => {
      leave(error)
      callback(error, result)
    }
    return query(...args.slice(0, -1), observe)
  }
  connection.query = watched as typeof connection.query
}
