import type { JWK } from 'jose'

/** Algorithms of ID tokens, in the order of discovery (RFC 7518, section 3.1, and RFC 8037). */
export const ID_TOKEN_ALGORITHMS = ['RS256', 'ES256', 'EdDSA'] as const
export type KeyAlgorithm = (typeof ID_TOKEN_ALGORITHMS)[number]

/** Algorithms of access tokens of the API. */
export type TokenAlgorithm = 'HS256' | 'ES256' | 'EdDSA'

/**
 * `access` keys sign access tokens of the API; the others sign what the OpenID provider issues.
 * Each of its algorithms has a purpose, because earlier versions take `identity` keys for ES256.
 */
export const KEY_PURPOSES = ['access', 'id_rs256', 'identity', 'id_eddsa'] as const
export type KeyPurpose = (typeof KEY_PURPOSES)[number]

const IDENTITY_PURPOSES = { RS256: 'id_rs256', ES256: 'identity', EdDSA: 'id_eddsa' } as const

const IDENTITY_ALGORITHMS = { id_rs256: 'RS256', identity: 'ES256', id_eddsa: 'EdDSA' } as const

/** Returns the purpose of the keys that sign ID tokens with this algorithm. */
export function identityPurpose(algorithm: KeyAlgorithm): KeyPurpose {
  return IDENTITY_PURPOSES[algorithm]
}

export function identityAlgorithm(purpose: Exclude<KeyPurpose, 'access'>): KeyAlgorithm {
  return IDENTITY_ALGORITHMS[purpose]
}

/** Omits the algorithm, which users see beside the purpose. */
export function shownPurpose(purpose: KeyPurpose) {
  return purpose === 'access' ? 'access' : 'identity'
}

/** No other token can pass as an access token (RFC 9068; RFC 8725, section 3.11). */
export const TOKEN_TYPE = 'at+jwt'

/** Times are milliseconds since the epoch. */
export interface SigningKey {
  /** RFC 7638 thumbprint of the public key. */
  kid: string
  /** Unique, so that only one of two parallel processes adds a key. */
  number: number
  purpose: KeyPurpose
  algorithm: KeyAlgorithm
  publicJwk: JWK
  /** Null after the key has stopped signing. */
  encryptedPrivateKey: string | null
  createdAt: number
  /** The key is published earlier, so that verifiers know it. */
  signsFrom: number
  /** No token that the key has signed expires later. */
  tokensUntil: number
  revokedAt: number | null
}

export type KeyState = 'published' | 'signing' | 'verifying' | 'expired' | 'revoked'

export function verifies({ revokedAt, tokensUntil }: SigningKey, now: number) {
  return revokedAt === null && tokensUntil > now
}

export function isUpcoming({ revokedAt, signsFrom }: SigningKey, now: number) {
  return revokedAt === null && signsFrom > now
}

/** A key of one purpose never verifies a token of another purpose. */
export function keysFor(purpose: KeyPurpose, keys: SigningKey[]) {
  return keys.filter((key) => key.purpose === purpose)
}

export function newestOf(purpose: KeyPurpose, keys: SigningKey[]) {
  return keysFor(purpose, keys).find(({ revokedAt }) => revokedAt === null)
}

export function signersOf(purpose: KeyPurpose, keys: SigningKey[], now: number) {
  return keysFor(purpose, keys)
    .filter((key) => key.revokedAt === null && key.signsFrom <= now && key.encryptedPrivateKey)
    .toSorted((one, other) => other.number - one.number)
}

/** Depends only on the time, so that every process sees the same state. */
export function stateOf(key: SigningKey, signer: SigningKey | undefined, now: number): KeyState {
  if (key.revokedAt !== null) return 'revoked'
  if (isUpcoming(key, now)) return 'published'
  if (key.kid === signer?.kid) return 'signing'
  return verifies(key, now) ? 'verifying' : 'expired'
}
