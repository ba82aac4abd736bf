import type { JWK } from 'jose'

/** Algorithms of key pairs (RFC 7518, section 3.1; RFC 8037). */
export type KeyAlgorithm = 'ES256' | 'EdDSA'
export type TokenAlgorithm = 'HS256' | KeyAlgorithm

/** `access` keys sign access tokens of the API, `identity` keys what the OpenID provider issues. */
export const KEY_PURPOSES = ['access', 'identity'] as const
export type KeyPurpose = (typeof KEY_PURPOSES)[number]

/** `typ` header: no other token can pass as an access token (RFC 9068; RFC 8725, section 3.11). */
export const TOKEN_TYPE = 'at+jwt'

/** A key pair as every process has it in memory. Times are milliseconds since the epoch. */
export interface SigningKey {
  /** RFC 7638 thumbprint of the public key. */
  kid: string
  /** Counts keys, so that of two processes that add one at the same time, one does. */
  number: number
  purpose: KeyPurpose
  algorithm: KeyAlgorithm
  publicJwk: JWK
  /** Null once the key signs no more. */
  encryptedPrivateKey: string | null
  createdAt: number
  /** From when on it signs; published before. */
  signsFrom: number
  /** No token that it signed is good for longer. */
  tokensUntil: number
  revokedAt: number | null
}

export type KeyState = 'published' | 'signing' | 'verifying' | 'expired' | 'revoked'

/** Whether a token of the key may be good at this time. */
export function verifies({ revokedAt, tokensUntil }: SigningKey, now: number) {
  return revokedAt === null && tokensUntil > now
}

/** Whether the key is published and does not sign yet. */
export function isUpcoming({ revokedAt, signsFrom }: SigningKey, now: number) {
  return revokedAt === null && signsFrom > now
}

/** The keys of a purpose: a token of one purpose never passes by a key of the other. */
export function keysFor(purpose: KeyPurpose, keys: SigningKey[]) {
  return keys.filter((key) => key.purpose === purpose)
}

/** Keys of a purpose that may sign at this time, the newest first, which does. */
export function signersOf(purpose: KeyPurpose, keys: SigningKey[], now: number) {
  return keysFor(purpose, keys)
    .filter((key) => key.revokedAt === null && key.signsFrom <= now && key.encryptedPrivateKey)
    .toSorted((one, other) => other.number - one.number)
}

/** The state of a key follows from the time alone, so that every process sees the same. */
export function stateOf(key: SigningKey, signer: SigningKey | undefined, now: number): KeyState {
  if (key.revokedAt !== null) return 'revoked'
  if (isUpcoming(key, now)) return 'published'
  if (key.kid === signer?.kid) return 'signing'
  return verifies(key, now) ? 'verifying' : 'expired'
}
