import logger from '@adonisjs/core/services/logger'
import type { PoolClient } from 'pg'
import type { Database } from '@adonisjs/lucid/database'
import { selectRows } from './select_rows.ts'

// A promoted standby may lack the last commits, so a process must not trust what it remembers.
// After a broken connection, or ten seconds without an answer, each request asks the database.

const KNOWN_MS = 10_000

/** Behind a pooler, a failover breaks no connection: a query every second notices it. */
const LOOK_MS = 1_000

/**
 * A promoted standby has another start time, and a restored dump has another table id. The value is
 * empty on a standby, because its rows change without notice to Redis.
 */
export const INCARNATION = `COALESCE(CASE WHEN NOT pg_is_in_recovery() THEN
  to_regclass('users')::oid || '.' || extract(epoch FROM pg_postmaster_start_time()) END, '')`

let known = { name: '', until: 0 }
let latest = ''
const listeners: (() => void)[] = []

export function currentIncarnation() {
  return performance.now() < known.until ? known.name : ''
}

export function onFailover(heard: () => void) {
  listeners.push(heard)
}

export function noteIncarnation(name: string) {
  known = { name, until: performance.now() + KNOWN_MS }
  const isOther = latest && name && name !== latest
  latest = name || latest
  if (!isOther) return
  logger.warn('Postgres restarted, or another server took over')
  for (const heard of listeners) heard()
}

/** A new connection may lead to another server. */
export async function readIncarnation(connection: PoolClient) {
  connection.on('error', () => (known = { name: '', until: 0 }))
  const { rows } = await connection.query(`SELECT ${INCARNATION} AS name`)
  noteIncarnation(rows[0].name)
}

/** @returns a function that stops the queries */
export function pollIncarnation(db: Database) {
  let isLooking = false
  const look = async () => {
    if (isLooking) return
    isLooking = true
    // A failure is ignored, because the process has already noticed the broken connection.
    await lookOnce(db).catch(() => {})
    isLooking = false
  }
  const timer = setInterval(look, LOOK_MS).unref()
  return () => clearInterval(timer)
}

async function lookOnce(db: Database) {
  const sql = `SELECT ${INCARNATION} AS name`
  const [{ name }] = await selectRows<{ name: string }>(db.connection(), sql, [])
  noteIncarnation(name)
}
