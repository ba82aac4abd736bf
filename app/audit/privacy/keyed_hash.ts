import { createHmac, createSecretKey, hkdfSync, type KeyObject } from 'node:crypto'
import env from '#start/env'

/**
 * The last key survives a rotation. With bytes instead of a key object a hash takes ten times as
 * long.
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

/** 48 bits tell addresses apart in filters, but are too few to prove that an event has one. */
export function lookupHash(kind: 'ip' | 'email', value: string) {
  return mac(LOOKUP_KEY, [kind, value]).slice(0, 8)
}
