import logger from '@adonisjs/core/services/logger'
import type { PoolClient } from 'pg'
import type { Database } from '@adonisjs/lucid/database'
import { selectRows } from './select_rows.ts'

/*
 | Which server of Postgres answers, and which history of the data it has. A standby that is
 | promoted may lack the last commits: what this process remembers of the server before must
 | not be believed any more. The store of Redis binds each lease to an incarnation as well.
 |
 | A connection that breaks, and a silence of ten seconds, make the incarnation unknown: then
 | no lease is believed, and each request asks the database.
 */

/** For how long an answer of the database names its incarnation, in milliseconds. */
const KNOWN_MS = 10_000

/** Behind a pooler no connection breaks in a failover: a look each second notices it. */
const LOOK_MS = 1_000

/**
 * Start of the server and id of the table, as SQL. A promoted standby started at another time
 * than its primary, and a dump that is restored makes the table anew. Empty on a server that
 * still follows another one: its rows change without a word to Redis.
 */
export const INCARNATION = `COALESCE(CASE WHEN NOT pg_is_in_recovery() THEN
  to_regclass('users')::oid || '.' || extract(epoch FROM pg_postmaster_start_time()) END, '')`

let known = { name: '', until: 0 }
let latest = ''
const listeners: (() => void)[] = []

export function currentIncarnation() {
  return performance.now() < known.until ? known.name : ''
}

/** Hears of each change from one incarnation to another, once this process notices it. */
export function onTakeover(heard: () => void) {
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

/** Reads the incarnation before a new connection is used: it may lead to another server. */
export async function readIncarnation(connection: PoolClient) {
  connection.on('error', () => (known = { name: '', until: 0 }))
  const { rows } = await connection.query(`SELECT ${INCARNATION} AS name`)
  noteIncarnation(rows[0].name)
}

/** Looks every second, and returns what stops it. */
export function lookForIncarnation(db: Database) {
  let isLooking = false
  const look = async () => {
    if (isLooking) return
    isLooking = true
    // A failure tells nothing new: the connection that broke has been noticed.
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
