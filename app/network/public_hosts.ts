import { Resolver } from 'node:dns/promises'
import { isIP, type LookupFunction } from 'node:net'
import { isPublicAddress } from './public_address.ts'

/* Connections go to checked addresses: a second answer could differ (DNS rebinding). */

/** `dns.lookup` would read the hosts file, and hold a thread of hashing. */
async function resolve(hostname: string, signal: AbortSignal) {
  const resolver = new Resolver({ timeout: 1_500, tries: 2 })
  signal.addEventListener('abort', () => resolver.cancel(), { once: true })
  const lookups = [resolver.resolve4(hostname), resolver.resolve6(hostname)]
  const answers = await Promise.allSettled(lookups)
  return answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []))
}

export const network = { resolve, isPublic: isPublicAddress }

export class NotPublicError extends Error {
  name = 'NotPublicError'
}

const MOST_ADDRESSES = 4

/** @throws NotPublicError unless all addresses are public; it does not tell whether there is one */
export async function publicAddressesOf(hostname: string, signal: AbortSignal) {
  const addresses = await network.resolve(hostname, signal)
  if (addresses.length === 0 || !addresses.every(network.isPublic)) throw new NotPublicError()
  return addresses.slice(0, MOST_ADDRESSES)
}

export function lookupOf(addresses: string[]): LookupFunction {
  const found = addresses.map((address) => ({ address, family: isIP(address) }))
  return (_hostname, { all }, callback) =>
    all ? callback(null, found) : callback(null, found[0].address, found[0].family)
}
