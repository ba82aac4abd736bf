import pg from 'pg'
import app from '@adonisjs/core/services/app'
import env from '#start/env'
import { discardOnTimeout } from './patches/pg_query_timeout.ts'
import { watchChanges } from './change_watch.ts'
import { readIncarnation } from './incarnation.ts'
import { nameStatements, prepareNothing } from './named_statements.ts'
import { readPostgresAddress } from './postgres_address.ts'
import { limitSession, limitTransactions } from './statement_limits.ts'

/** A bigint is a point in time in milliseconds: a number holds it exactly. */
pg.types.setTypeParser(pg.types.builtins.INT8, Number)

const address = readPostgresAddress(env.get('DATABASE_URL'))

const server = address.connectionString
  ? { connectionString: address.connectionString }
  : {
      host: env.get('DB_HOST'),
      port: env.get('DB_PORT'),
      user: env.get('DB_USER'),
      password: env.get('DB_PASSWORD'),
      database: env.get('DB_DATABASE'),
    }

/** Together they stay below the three seconds in which a request is answered. */
const TIMEOUTS = {
  acquire: 1_000,
  connect: 900,
  lock: 1_500,
  /** The server stops a statement; the client gives up if the server does not answer. */
  statement: 1_700,
  answer: 1_900,
  /** The locks of a dead process must not outlive it for long. */
  idleInTransaction: 10_000,
}

/** Commands and migrations may take their time: no client waits for an answer. */
const isRequest = app.getEnvironment() !== 'console'

const request = { connectionTimeoutMillis: TIMEOUTS.connect, query_timeout: TIMEOUTS.answer }

/** Limits of each session. */
export const sessionLimits = {
  lock_timeout: TIMEOUTS.lock,
  statement_timeout: TIMEOUTS.statement,
  idle_in_transaction_session_timeout: TIMEOUTS.idleInTransaction,
}

const base = { ...server, application_name: 'gatehouse', keepAlive: true }

export const requestConnection = isRequest ? { ...base, ...request } : base

/** Migrations take long, so only connecting has a limit. */
export const maintenanceConnection = { ...base, connectionTimeoutMillis: 5_000 }

export const replicaConnection = address.replica
  ? { ...requestConnection, connectionString: address.replica }
  : null

export const requestPool = {
  min: 0,
  max: address.poolSize,
  acquireTimeoutMillis: isRequest ? TIMEOUTS.acquire : 10_000,
  createTimeoutMillis: isRequest ? TIMEOUTS.connect : 10_000,
  createRetryIntervalMillis: 100,
  afterCreate: prepare,
}

/** A replica takes no writes, so its connections are not watched. */
export const replicaPool = { ...requestPool, afterCreate: limit }

type Prepared = (error: unknown, connection: unknown) => void

function limit(connection: pg.PoolClient, done: Prepared) {
  discardOnTimeout(connection)
  setLimits(connection).then(
    () => done(null, connection),
    (error) => discard(connection, error, done)
  )
}

function prepare(connection: pg.PoolClient, done: Prepared) {
  prepareConnection(connection).then(
    () => done(null, connection),
    (error) => discard(connection, error, done)
  )
}

async function prepareConnection(connection: pg.PoolClient) {
  const isDirect = await setLimits(connection)
  if (isPreparing(isDirect)) nameStatements(connection)
  else prepareNothing(connection)
  if (isRequest && !isDirect) limitTransactions(connection, sessionLimits)
  discardOnTimeout(connection)
  watchChanges(connection)
  if (isRequest) await readIncarnation(connection)
}

/** Ends a connection whose preparation failed, because the pool forgets it without ending it. */
function discard(connection: pg.PoolClient, error: unknown, done: Prepared) {
  ;(connection as unknown as pg.Client).end().catch(() => {})
  done(error, connection)
}

function setLimits(connection: pg.PoolClient) {
  return limitSession(connection, isRequest ? sessionLimits : {})
}

/** A pooler may give the next statement to a server that has not prepared it. */
function isPreparing(isDirect: boolean) {
  const { preparedStatements } = address
  return preparedStatements === 'on' || (preparedStatements === 'auto' && isDirect)
}
