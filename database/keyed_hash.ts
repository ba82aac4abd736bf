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

export function mac(key: KeyObject, value: unknown) {
  return createHmac('sha256', key).update(JSON.stringify(value)).digest('base64url')
}
