import type { JWK } from 'jose'

/** RFC 7518, section 3.1, and RFC 8037. */
export type KeyAlgorithm = 'ES256' | 'EdDSA'
export type TokenAlgorithm = 'HS256' | KeyAlgorithm

/** `access` keys sign access tokens of the API, `identity` keys what the OpenID provider issues. */
export const KEY_PURPOSES = ['access', 'identity'] as const
export type KeyPurpose = (typeof KEY_PURPOSES)[number]

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

/** A token of one purpose never passes by a key of the other. */
export function keysFor(purpose: KeyPurpose, keys: SigningKey[]) {
  return keys.filter((key) => key.purpose === purpose)
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
