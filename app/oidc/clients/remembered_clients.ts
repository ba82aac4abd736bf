import store from '#auth/store/service'
import { ensureConfiguration, VersionedCache } from '#database/configuration_version'
import { findClient } from './client_rows.ts'
import type { OAuthClient } from './client.ts'

/** Each client takes some kilobytes of memory. */
const REMEMBERED = 1_000

const clients = new VersionedCache<OAuthClient>({ max: REMEMBERED })

/** Returns the current registration: the version is read first. Null is never remembered. */
export async function findCurrentClient(clientId: string) {
  await ensureConfiguration(() => store.readConfiguration())
  return findRememberedClient(clientId)
}

/** For work `underOneConfiguration`. */
export function findRememberedClient(clientId: string) {
  return clients.find(clientId, () => findClient(clientId))
}
