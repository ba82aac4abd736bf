import { errors } from 'oidc-provider'
import limits from '#config/limits'
import { throttleAddress } from '#auth/lockout/address_throttle'
import { ipPrefix, hashAddress } from '#auth/lockout/count_keys'
import { consume } from '#auth/lockout/rate_limit'
import { isConsentedByAnyone } from '#oidc/consents/consents'

/* Readings for one address must not block the clients of other users. */

interface Reading {
  url: URL
  ip: string
}

const running = new Map<string, number>()

/** @throws E_TOO_MANY_REQUESTS, temporarily_unavailable */
export async function withinShare<Result>(reading: Reading, read: () => Promise<Result>) {
  const isKnown = await isConsentedByAnyone(reading.url.href)
  const address = ipPrefix(reading.ip)
  assertRoom(address, isKnown)
  add(address, 1)
  try {
    await countReading(reading, isKnown)
    return await read()
  } finally {
    add(address, -1)
  }
}

function assertRoom(address: string, isKnown: boolean) {
  const all = running.values().reduce((sum, count) => sum + count, 0)
  const own = running.get(address) ?? 0
  const isFull = all >= (isKnown ? limits.consentedDocumentReads : limits.clientDocumentReads)
  if (isFull || own >= limits.clientDocumentsAtOnce) throw unavailable()
}

function add(address: string, more: number) {
  const count = (running.get(address) ?? 0) + more
  if (count > 0) running.set(address, count)
  else running.delete(address)
}

/** Counts the share of the address first, so that one address cannot use up the common limit. */
async function countReading({ url: { hostname }, ip }: Reading, isKnown: boolean) {
  await throttleAddress('clientDocument', ip)
  const key = `client-document-host${isKnown ? '-known' : ''}:{${hostname}}`
  await consume(`${key}:${hashAddress(ip)}`, limits.clientDocumentShare)
  await consume(key, limits.clientDocumentHost)
}

export function unavailable() {
  return new errors.TemporarilyUnavailable('too many client id metadata documents are read')
}
