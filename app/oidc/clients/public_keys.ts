import { createPublicKey } from 'node:crypto'
import limits from '#config/limits'
import { invalidField } from '#exceptions/http_errors'
import type { KeySet } from './client.ts'

/** Members of private and symmetric keys (RFC 7518, section 6). */
const SECRET_MEMBERS = ['d', 'p', 'q', 'dp', 'dq', 'qi', 'oth', 'k']

/** Shorter keys can be factored; longer ones cost too much time for each signature. */
const RSA_BITS = { min: 2_048, max: 8_192 }

const CURVES = ['prime256v1', 'secp384r1', 'secp521r1']

/** @throws E_VALIDATION_ERROR */
export function assertPublicKeys({ keys }: KeySet) {
  const isTooLong = JSON.stringify(keys).length > limits.clientKeyBytes
  if (keys.length === 0 || keys.length > limits.clientKeys || isTooLong) {
    const sizes = `1 to ${limits.clientKeys} keys of ${limits.clientKeyBytes} bytes together`
    throw invalidField('jwks', 'keySizes', `The jwks field must have ${sizes}`)
  }
  if (keys.some(isSecret)) {
    throw invalidField('jwks', 'publicKeys', 'The jwks field must have public keys alone')
  }
  if (keys.every(isUsable)) return
  const message = 'The jwks field takes RSA of 2048 to 8192 bits, P-256, P-384, P-521 and Ed25519'
  throw invalidField('jwks', 'keyKinds', message)
}

export function isSecret(key: Record<string, unknown>) {
  return SECRET_MEMBERS.some((name) => Object.hasOwn(key, name))
}

export function isUsable(key: Record<string, unknown>) {
  try {
    const { asymmetricKeyType: type, asymmetricKeyDetails: details = {} } = createPublicKey({
      key,
      format: 'jwk',
    })
    const { modulusLength = 0, publicExponent = 0n, namedCurve = '' } = details
    if (type === 'rsa') return isIn(RSA_BITS, modulusLength) && isShort(publicExponent)
    return type === 'ed25519' || (type === 'ec' && CURVES.includes(namedCurve))
  } catch {
    return false
  }
}

function isIn({ min, max }: typeof RSA_BITS, bits: number) {
  return bits >= min && bits <= max
}

function isShort(exponent: bigint) {
  return exponent < 1n << BigInt(limits.publicExponent)
}

/** A deep key would cause a deep recursion wherever it is compared or written. */
export function isShallowObject(value: unknown) {
  return isObject(value) && !isDeeperThan(limits.clientKeyDepth, value)
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null
}

function isDeeperThan(depth: number, value: unknown): boolean {
  if (!isObject(value)) return false
  return depth === 0 || Object.values(value).some((inner) => isDeeperThan(depth - 1, inner))
}
