import { selectRows } from '#database/select_rows'
import type { QueryClientContract } from '@adonisjs/lucid/types/database'
import { isGenuineEvent } from './chain.ts'
import { toEvent, type EventRow } from '#audit/event_row'
import { isReadable } from '#audit/privacy/personal_cipher'
import { findKeys } from '#audit/privacy/personal_keys'

/*
 | An attacker could delete keys to hide events: a key may be missing only if its user was deleted.
 */

export interface MissingKey {
  userId: string
  keyId: string
  eventId: string
}

export async function findMissingKeys(rows: EventRow[], client: QueryClientContract) {
  const used = keysOf(rows)
  const keys = await findKeys([...used.keys()], client)
  const missing = [...used.values()].filter(({ keyId }) => {
    const key = keys.get(keyId)
    return !key || !isReadable(key)
  })
  const userIds = [...new Set(missing.map(({ userId }) => userId))]
  if (missing.length === 0) return []
  const deletions = await findDeletions(userIds, client)
  return missing.filter(({ userId, eventId }) => eventId > (deletions.get(userId) ?? ''))
}

/** Returns the used keys by their id. Keys of months belong to no user, and expire. */
function keysOf(rows: EventRow[]) {
  const used = new Map<string, MissingKey>()
  for (const { id: eventId, actor_id: actor, target_id: target, ...row } of rows) {
    const [ofOrigin, ofDetails] = [actor ?? target, target ?? actor]
    if (!ofOrigin || !ofDetails) continue
    if (row.origin_key)
      used.set(row.origin_key, { userId: ofOrigin, keyId: row.origin_key, eventId })
    const { personal_key: keyId } = row
    if (keyId) used.set(keyId, { userId: ofDetails, keyId, eventId })
  }
  return used
}

/**
 * Returns the last deletion of each user: its id is later than all events that used the key. A user
 * who was imported again has another key. An event without its hash may be forged.
 */
async function findDeletions(userIds: string[], client: QueryClientContract) {
  const isPostgres = client.dialect.name === 'postgres'
  const sql = LAST_DELETIONS[isPostgres ? 'postgres' : 'sqlite']
  const rows = await selectRows<{ id: string | null }>(client, sql, [JSON.stringify(userIds)])
  const ids = rows.flatMap(({ id }) => id ?? [])
  const found = await client.from('audit_events').whereIn('id', ids)
  const last = found.map(toEvent)
  const forged = last.filter((event) => !isGenuineEvent(event)).map((event) => event.target_id!)
  const others = forged.length > 0 ? await findAllDeletions(forged, client) : []
  const genuine = [...last, ...others].filter(isGenuineEvent)
  return new Map(genuine.map((event) => [event.target_id!, event.id]))
}

/** No index covers this form: otherwise SQLite would search through the deletions of all users. */
const IS_DELETION = `COALESCE(action, '') = 'account.deleted'`

/** Searches from the newest event of a user, which is the deletion. */
const LAST = (userId: string) => `SELECT (SELECT id FROM audit_events
  WHERE target_id = ${userId} AND ${IS_DELETION} ORDER BY id DESC LIMIT 1) AS id`

const LAST_DELETIONS = {
  postgres: `${LAST('CAST(users.id AS uuid)')}
    FROM jsonb_array_elements_text(CAST(? AS jsonb)) AS users(id)`,
  sqlite: `${LAST('users.value')} FROM json_each(?) AS users`,
}

async function findAllDeletions(userIds: string[], client: QueryClientContract) {
  const about = client.from('audit_events').whereIn('target_id', userIds)
  const rows = await about.whereRaw(IS_DELETION).orderBy('id')
  return rows.map(toEvent)
}
