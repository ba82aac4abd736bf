import { createHmac, hkdfSync, randomInt, timingSafeEqual } from 'node:crypto'
import env from '#start/env'

/* Keyed hashes: an attacker with a stolen table could quickly try all million unkeyed codes. */
const KEYS = env
  .get('APP_KEY')
  .map((secret) => Buffer.from(hkdfSync('sha256', secret, '', 'gatehouse address codes', 32)))

/** The id is part of the hash, so that a code works for only one waiting sign-in. */
function hashWith(key: Buffer, id: string, code: string) {
  return createHmac('sha256', key).update(`${id}:${code}`).digest('base64url')
}

export function newAddressCode(id: string) {
  const code = String(randomInt(1_000_000)).padStart(6, '0')
  return { code, hash: hashWith(KEYS[0], id, code) }
}

export function verifyAddressCode(
  typed: string,
  { id, codeHash }: { id: string; codeHash: string }
) {
  const expected = Buffer.from(codeHash)
  return KEYS.some((key) => timingSafeEqual(Buffer.from(hashWith(key, id, typed)), expected))
}
