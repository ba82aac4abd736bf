import type { Backend } from '#tests/process/backend'
import type { AcknowledgedUser } from './acknowledged.ts'

/*
 | What the trail must hold in the end: each acknowledged change as an event that is sealed,
 | and nothing that tells of a person whose deletion was acknowledged.
 */

/** Acknowledged changes without their event. */
export async function lostEvents(backend: Backend, users: AcknowledgedUser[]) {
  const rows = await backend.query(`
    SELECT target_id, action, count(*)::int AS total FROM audit_events
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

/** Rows of any table that still hold the e-mail of somebody who was deleted. */
export async function tracesOf(backend: Backend, users: AcknowledgedUser[]) {
  const erased = users.filter(({ deletion }) => deletion === 'acknowledged')
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
