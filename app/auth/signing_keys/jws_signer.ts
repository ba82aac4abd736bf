import { createPublicKey, type JsonWebKey, type KeyObject } from 'node:crypto'
import { createDecoder } from 'fast-jwt'
import { clearKeyCache, cachedKeys } from './cached_keys.ts'
import { privateKeyOf, signWith } from './private_keys.ts'
import { ensureKey } from './prepare_keys.ts'
import { findSigner, NO_SIGNER, reserve } from './signer.ts'
import type { KeyAlgorithm, KeyPurpose } from './signing_key.ts'

// The OpenID library composes header and payload, so it reads the key id before it signs.

/** Another process has revoked the key since its id was read; a retry takes the next key. */
export class SigningKeyRevoked extends Error {
  constructor() {
    super('The signing key was revoked while a token was signed')
  }
}

export async function retryIfRevoked<Result>(issue: () => Promise<Result>) {
  return issue().catch((error: unknown) => {
    if (error instanceof SigningKeyRevoked) return issue()
    throw error
  })
}

const decode = createDecoder({ complete: true })

/** Returns the id of the current key, and creates the first key of a purpose. */
export async function signingKid(purpose: KeyPurpose) {
  const key = findSigner(purpose, await ensureKey(purpose, await cachedKeys()))
  if (!key) throw new Error(NO_SIGNER)
  return key.kid
}

/** Reserves the token's expiry first: the key is published until then. @throws SigningKeyRevoked */
export async function signJws(input: Buffer) {
  const { header, payload } = decode(`${input}.`)
  const keys = await cachedKeys()
  const key = keys.find(({ kid }) => kid === header.kid)
  if (!key || !(await reserve(key.kid, payload.exp * 1_000))) {
    clearKeyCache()
    throw new SigningKeyRevoked()
  }
  const privateKey = privateKeyOf(key)
  if (privateKey === null) throw new Error(NO_SIGNER)
  return signWith(key, privateKey, input)
}

export interface IdentityKey {
  algorithm: KeyAlgorithm
  publicKey: KeyObject
}

/** Returns null unless the id names a key for ID tokens that was not revoked. */
export async function findIdentityKey(kid: unknown): Promise<IdentityKey | null> {
  const keys = await cachedKeys()
  const key = keys.find((each) => each.kid === kid)
  if (!key || key.purpose === 'access' || key.revokedAt !== null) return null
  const publicKey = createPublicKey({ key: key.publicJwk as JsonWebKey, format: 'jwk' })
  return { algorithm: key.algorithm, publicKey }
}
