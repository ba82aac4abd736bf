import { createHmac, createSecretKey, hkdfSync, type KeyObject } from 'node:crypto'
import env from '#start/env'

/** Returns the key for the current keyring, because a restore adopts another keyring. */
export type HashKey = () => KeyObject

/**
 * Uses the last entry, which survives a rotation. With bytes instead of a key object, a hash takes
 * ten times as long.
 */
export function keyFor(purpose: string): HashKey {
  let made: { secret: string; key: KeyObject } | null = null
  return () => {
    const secret = env.get('APP_KEY').at(-1)!
    if (made?.secret !== secret) made = { secret, key: derive(secret, purpose) }
    return made.key
  }
}

function derive(secret: string, purpose: string) {
  return createSecretKey(Buffer.from(hkdfSync('sha256', secret, '', purpose, 32)))
}

export function mac(key: HashKey, value: unknown) {
  return createHmac('sha256', key()).update(JSON.stringify(value)).digest('base64url')
}
