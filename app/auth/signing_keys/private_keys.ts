import { createPrivateKey, sign, type KeyObject } from 'node:crypto'
import { promisify } from 'node:util'
import { decryptPrivateKey } from './key_pair.ts'
import type { SigningKey } from './signing_key.ts'

// Decrypting and parsing a key takes longer than signing.
const privateKeys = new Map<string, KeyObject>()

/** Returns null if no entry of `APP_KEY` decrypts the key. */
export function privateKeyOf(key: SigningKey): KeyObject | null {
  const known = privateKeys.get(key.kid)
  if (known) return known
  const pem = decryptPrivateKey(key)
  if (pem === null) return null
  const parsed = createPrivateKey(pem)
  privateKeys.set(key.kid, parsed)
  return parsed
}

const signOnThread = promisify(sign)

/** RFC 7518, section 3. RSA signs on a thread: for a millisecond it would block all requests. */
export async function signWith({ algorithm }: SigningKey, key: KeyObject, input: Buffer) {
  if (algorithm === 'RS256') return signOnThread('sha256', input, key)
  if (algorithm === 'EdDSA') return sign(null, input, key)
  return derToP1363(sign('sha256', input, key))
}

const BYTES = 32

/**
 * Converts DER to two numbers of 32 bytes (RFC 7518, section 3.4). In DER, a number may be shorter,
 * or one zero byte longer. Node's own conversion would double the time of a signature.
 */
export function derToP1363(der: Buffer) {
  const pair = Buffer.alloc(2 * BYTES)
  /** The position after the headers of the sequence and of its first number. */
  let at = 4
  for (const end of [BYTES, 2 * BYTES]) {
    const number = der.subarray(at, at + der[at - 1])
    const shown = number.subarray(Math.max(0, number.length - BYTES))
    shown.copy(pair, end - shown.length)
    at += number.length + 2
  }
  return pair
}
