import { createHmac, createSecretKey, hkdfSync, type KeyObject } from 'node:crypto'
import env from '#start/env'

/**
 * The last entry of `APP_KEY` is the one that survives a rotation. With the bytes of a key
 * instead of a key object each hash takes ten times as long (docs/performance.md).
 */
export function keyFor(purpose: string) {
  return createSecretKey(
    Buffer.from(hkdfSync('sha256', env.get('APP_KEY').at(-1)!, '', purpose, 32))
  )
}

const LOOKUP_KEY = keyFor('gatehouse audit lookup')

export function mac(key: KeyObject, value: unknown) {
  return createHmac('sha256', key).update(JSON.stringify(value)).digest('base64url')
}

/**
 * What filters find an address or e-mail by. Its 48 bits tell apart what a trail holds and
 * are too few to prove that an event has a certain address.
 */
export function lookupHash(kind: 'ip' | 'email', value: string) {
  return mac(LOOKUP_KEY, [kind, value]).slice(0, 8)
}
