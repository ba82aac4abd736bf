import limits from '#config/limits'
import { hashAddress } from '#auth/lockout/count_keys'
import { findRecord, removeOldestOf, upsertRecord } from '#oidc/records/record_rows'

/* Known addresses of a client keep working when others have used up the common limit. */

const KIND = 'ClientAddress'

const DAY_MS = 86_400_000

export interface ClientAddress {
  clientId: string
  ip: string
}

/** A keyed hash replaces the address, which may belong to a user. */
export function addressKey({ clientId, ip }: ClientAddress) {
  return { kind: KIND, id: JSON.stringify([clientId, hashAddress(ip)]) }
}

export async function lastAuthentication(address: ClientAddress): Promise<number | null> {
  const record = await findRecord(addressKey(address))
  return record ? JSON.parse(record.payload).at : null
}

/** Returns true if the row of the address needs no renewal yet. */
export function isRecent(last: number) {
  return Date.now() - last < DAY_MS
}

/** Writes at most once a day. Deletes the least recently used addresses beyond the limit. */
export async function rememberAddress(address: ClientAddress, last: number | null) {
  const { clientId } = address
  const [at, { limit, lifetimeMs }] = [Date.now(), limits.clientAddresses]
  if (last !== null && isRecent(last)) return
  const payload = JSON.stringify({ at })
  await upsertRecord(addressKey(address), { payload, expiresAt: at + lifetimeMs, clientId })
  await removeOldestOf(clientId, { kind: KIND, limit })
}
