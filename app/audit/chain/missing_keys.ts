import type { QueryClientContract } from '@adonisjs/lucid/types/database'
import { eventMac } from './chain.ts'
import { toEvent, type EventRow } from '#audit/event_row'
import { isReadable } from '#audit/privacy/personal_cipher'
import { findKeys } from '#audit/privacy/personal_keys'

/*
 | The chain is computed over ciphertext, so that it holds after the key of a deleted user is
 | gone. Whoever can write to the database could delete the key of any user and so hide what
 | their events say: a key may be missing only where the trail has the deletion of its user.
 */

/** A key that is gone, or that `APP_KEY` cannot decrypt, though its user was not deleted. */
export interface MissingKey {
  userId: string
  keyId: string
  /** An event that it covers. */
  eventId: string
}

/** The missing keys of users that these events need. */
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

/** By the id of the key. Keys of months are none of a user, and go by themselves. */
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

/** Of these users those who are gone and whose deletion is an event that only the product can make. */
async function findDeleted(userIds: string[], client: QueryClientContract) {
  const action = 'account.deleted'
  const rows = await client.from('audit_events').whereIn('target_id', userIds).where({ action })
  const genuine = rows.map(toEvent).filter((event) => event.mac === eventMac(event))
  const existing = await client.from('users').whereIn('id', userIds).select('id')
  const deleted = new Set(genuine.map((event) => event.target_id))
  for (const { id } of existing) deleted.delete(id)
  return deleted
}
