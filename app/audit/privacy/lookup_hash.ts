import { keyFor, mac } from '#database/keyed_hash'

const LOOKUP_KEY = keyFor('gatehouse audit lookup')

/** 48 bits tell addresses apart in filters, but are too few to prove that an event has one. */
export function lookupHash(kind: 'ip' | 'email', value: string) {
  return mac(LOOKUP_KEY, [kind, value]).slice(0, 8)
}
