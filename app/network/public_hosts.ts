import { Resolver } from 'node:dns/promises'
import { isIP, type LookupFunction } from 'node:net'
import { isPublicAddress } from './public_address.ts'

/*
 | Which addresses a name has that a stranger has chosen. The name is resolved once and only
 | these addresses are connected to, so that no second answer of their name server counts (DNS
 | rebinding).
 */

/**
 * Asks name servers, and not the library of the system: that one also reads the hosts file,
 * and holds a thread that hashing needs for as long as a name server is silent.
 */
async function resolve(hostname: string, signal: AbortSignal) {
  const resolver = new Resolver({ timeout: 1_500, tries: 2 })
  signal.addEventListener('abort', () => resolver.cancel(), { once: true })
  const lookups = [resolver.resolve4(hostname), resolver.resolve6(hostname)]
  const answers = await Promise.allSettled(lookups)
  return answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []))
}

/** How names become addresses, and which are public. No setting changes it; tests put theirs here. */
export const network = { resolve, isPublic: isPublicAddress }

/** A host that has no address, or one that is not public: the two are not told apart outside. */
export class NotPublicError extends Error {
  name = 'NotPublicError'
}

/** A connection is tried to as many, one after the other. */
const MOST_ADDRESSES = 4

/** @throws NotPublicError unless every address of the host is public */
export async function publicAddressesOf(hostname: string, signal: AbortSignal) {
  const addresses = await network.resolve(hostname, signal)
  if (addresses.length === 0 || !addresses.every(network.isPublic)) throw new NotPublicError()
  return addresses.slice(0, MOST_ADDRESSES)
}

/** The lookup of a connection that knows its addresses already. */
export function lookupOf(addresses: string[]): LookupFunction {
  const found = addresses.map((address) => ({ address, family: isIP(address) }))
  return (_hostname, { all }, callback) =>
    all ? callback(null, found) : callback(null, found[0].address, found[0].family)
}
