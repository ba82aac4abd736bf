import type { JWK } from 'jose'

/** Of ID tokens, in the order of discovery (RFC 7518, section 3.1, and RFC 8037). */
export const ID_TOKEN_ALGORITHMS = ['RS256', 'ES256', 'EdDSA'] as const
export type KeyAlgorithm = (typeof ID_TOKEN_ALGORITHMS)[number]

/** Of access tokens of the API. */
export type TokenAlgorithm = 'HS256' | 'ES256' | 'EdDSA'

/**
 * `access` keys sign access tokens of the API, the others what the OpenID provider issues. Each of
 * its algorithms is a purpose: an earlier version takes every `identity` key for ES256.
 */
export const KEY_PURPOSES = ['access', 'id_rs256', 'identity', 'id_eddsa'] as const
export type KeyPurpose = (typeof KEY_PURPOSES)[number]

const IDENTITY_PURPOSES = { RS256: 'id_rs256', ES256: 'identity', EdDSA: 'id_eddsa' } as const

const IDENTITY_ALGORITHMS = { id_rs256: 'RS256', identity: 'ES256', id_eddsa: 'EdDSA' } as const

/** What an application verifies with this algorithm. */
export function identityPurpose(algorithm: KeyAlgorithm): KeyPurpose {
  return IDENTITY_PURPOSES[algorithm]
}

export function identityAlgorithm(purpose: Exclude<KeyPurpose, 'access'>): KeyAlgorithm {
  return IDENTITY_ALGORITHMS[purpose]
}

/** Users see the algorithm beside it. */
export function shownPurpose(purpose: KeyPurpose) {
  return purpose === 'access' ? 'access' : 'identity'
}

/** No other token can pass as an access token (RFC 9068; RFC 8725, section 3.11). */
export const TOKEN_TYPE = 'at+jwt'

/** Times are milliseconds since the epoch. */
export interface SigningKey {
  /** RFC 7638 thumbprint of the public key. */
  kid: string
  /** Unique, so that one of two parallel processes adds a key. */
  number: number
  purpose: KeyPurpose
  algorithm: KeyAlgorithm
  publicJwk: JWK
  /** Null once the key signs no more. */
  encryptedPrivateKey: string | null
  createdAt: number
  /** Published before, so that verifiers know the key. */
  signsFrom: number
  /** No token that it signed is good for longer. */
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

/** A token of one purpose never passes by a key of another. */
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

/** Follows from the time alone, so that every process sees the same. */
export function stateOf(key: SigningKey, signer: SigningKey | undefined, now: number): KeyState {
  if (key.revokedAt !== null) return 'revoked'
  if (isUpcoming(key, now)) return 'published'
  if (key.kid === signer?.kid) return 'signing'
  return verifies(key, now) ? 'verifying' : 'expired'
}
