import type { QueryClientContract } from '@adonisjs/lucid/types/database'
import { eventMac } from './chain.ts'
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
  const userIds = missing.map(({ userId }) => userId)
  const deleted = missing.length > 0 ? await findDeleted(userIds, client) : new Set()
  return missing.filter(({ userId }) => !deleted.has(userId))
}

/** By the id of the key. Keys of months belong to no user, and expire. */
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

/** Only genuine deletion events count: an attacker could write one without its hash. */
async function findDeleted(userIds: string[], client: QueryClientContract) {
  const action = 'account.deleted'
  const rows = await client.from('audit_events').whereIn('target_id', userIds).where({ action })
  const genuine = rows.map(toEvent).filter((event) => event.mac === eventMac(event))
  const existing = await client.from('users').whereIn('id', userIds).select('id')
  const deleted = new Set(genuine.map((event) => event.target_id))
  for (const { id } of existing) deleted.delete(id)
  return deleted
}
