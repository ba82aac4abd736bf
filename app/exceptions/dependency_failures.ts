// If a dependency is down the answer is 503: after a 401, clients would discard valid tokens.

const SYSTEM_CODES = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ECONNABORTED',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
])

/** Connections, resources, operators, system errors, lock time-outs, statements that a pooler did not keep. */
const SQL_STATE = /^(08|53|57|58)[0-9A-Z]{3}$|^(55P03|40001|40P01|25006|26000|42P05)$/

const SQLITE_CODE = /^SQLITE_(BUSY|LOCKED|FULL|IOERR|CANTOPEN|READONLY)/

/** knex puts the statement before the message, as for a commit that failed because of Redis. */
const STATEMENT = /^COMMIT; - /

/** No connection, a time-out, no server for a slot: errors of the Redis client without a code. */
const REDIS_CLIENT =
  /^(Stream isn't writeable|Connection is closed|Command timed out|Socket timeout|connect ETIMEDOUT|Reached the max retries|Failed to refresh slots|Cluster isn't ready|None of startup nodes|All sentinels are unreachable|Too many Cluster redirections|Connection was lost)/i

/**
 * Redis loads, is full, was demoted, is partitioned or blocked, moves a slot, lacks a script, or
 * discards a transaction for one of these.
 */
const REDIS_REPLY =
  /^(LOADING|OOM|READONLY|MASTERDOWN|CLUSTERDOWN|TRYAGAIN|NOREPLICAS|MISCONF|BUSY|UNBLOCKED|MOVED|ASK|NOSCRIPT|EXECABORT|(ERR )?Script attempted to access a non local key)\b/

const REDIS_ERRORS = new Set(['MaxRetriesPerRequestError', 'ClusterAllFailedError', 'AbortError'])

/** Errors of Postgres and knex without a code; knex reports a failed commit as “already complete”. */
const SQL_CLIENT = new RegExp(
  [
    'Connection terminated',
    'timeout expired',
    'Query read timeout',
    'timeout exceeded when trying to connect',
    'Client has encountered a connection error',
    'Client was closed',
    'operation timed out for an unknown reason',
    'Transaction query already complete',
    'cached plan must not change result type',
  ].join('|'),
  'i'
)

export function isDependencyDown(error: any): boolean {
  if (!error) return false
  if (error instanceof AggregateError) return error.errors.some(isDependencyDown)
  const { code, name } = error
  const message = String(error.message ?? '').replace(STATEMENT, '')
  if (typeof code === 'string') {
    if (SYSTEM_CODES.has(code) || SQL_STATE.test(code) || SQLITE_CODE.test(code)) return true
  }
  return name === 'KnexTimeoutError' || isRedisFailure(error) || SQL_CLIENT.test(message)
}

export function isRedisFailure({ name, message }: Error) {
  const text = String(message ?? '').replace(STATEMENT, '')
  const isRefused = name === 'ReplyError' && REDIS_REPLY.test(text)
  return REDIS_ERRORS.has(name) || REDIS_CLIENT.test(text) || isRefused
}

/** A dependency that is down says nothing about validity. @throws its error */
export function nullIfInvalid(error: unknown): null {
  if (isDependencyDown(error)) throw error
  return null
}
