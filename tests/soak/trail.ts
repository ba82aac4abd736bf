import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Backend } from '#tests/process/backend'
import type { AcknowledgedUser } from './acknowledged.ts'

/*
 | At the end, the trail must contain each acknowledged change as a sealed event, and nothing about
 | a person whose deletion was acknowledged.
 */

type Query = (sql: string) => Promise<Record<string, any>[]>

/** Returns acknowledged changes that have no event. */
export async function lostEvents(query: Query, users: AcknowledgedUser[]) {
  const rows = await query(`
    SELECT target_id, action, CAST(count(*) AS INTEGER) AS total FROM audit_events
    WHERE sequence IS NOT NULL GROUP BY target_id, action`)
  const totals = new Map(rows.map((row) => [`${row.target_id} ${row.action}`, row.total]))
  return users.flatMap(({ id, events }) =>
    Object.entries(events)
      .map(([action, expected]) => ({
        action,
        expected,
        found: totals.get(`${id} ${action}`) ?? 0,
      }))
      .filter(({ expected, found }) => found < expected)
      .map(({ action, expected, found }) => `${found} of ${expected} ${action} of ${id} are sealed`)
  )
}

const erasedOf = (users: AcknowledgedUser[]) =>
  users.filter(({ deletion }) => deletion === 'acknowledged')

/** Finds files (mails, the log of Redis) that still contain the e-mail of a deleted user. */
export function tracesInFiles(folders: string[], users: AcknowledgedUser[]) {
  const erased = erasedOf(users)
  return folders.flatMap(filesIn).flatMap((file) => {
    const bytes = readFileSync(file)
    const found = erased.filter(({ email }) => bytes.includes(email))
    return found.map(({ email }) => `${file} still has ${email}`)
  })
}

function filesIn(folder: string) {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true })
  return entries
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name))
}

/** Finds users whose address is in a log, deleted or not: no log may contain an address. */
export function tracesInOutput(output: string, users: AcknowledgedUser[]) {
  const found = users.filter(({ email }) => output.includes(email))
  return found.map(({ email }) => `the output has ${email}`)
}

/** Finds rows of any table that still contain the e-mail of a deleted user. */
export async function tracesOf(backend: Backend, users: AcknowledgedUser[]) {
  const erased = erasedOf(users)
  const tables = await backend.query(`SELECT tablename FROM pg_tables WHERE schemaname = 'public'`)
  const traces: string[] = []
  for (const { tablename: table } of tables) {
    const rows = await backend.query(`SELECT t::text AS row FROM "${table}" AS t`)
    const text = rows.map(({ row }) => row).join('\n')
    const found = erased.filter(({ email }) => text.includes(email))
    traces.push(...found.map(({ email }) => `${table} still has ${email}`))
  }
  const ids = erased.map(({ id }) => `'${id}'`).join(',') || 'NULL'
  const keys = await backend.query(`SELECT id FROM audit_keys WHERE user_id IN (${ids})`)
  return [...traces, ...keys.map(({ id }) => `the person key ${id} is still there`)]
}
