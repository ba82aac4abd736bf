import {
  createPrivateKey,
  createPublicKey,
  sign,
  type JsonWebKey,
  type KeyObject,
} from 'node:crypto'
import { createDecoder } from 'fast-jwt'
import { decryptPrivateKey } from './key_pair.ts'
import { forgetKnownKeys, knownKeys } from './known_keys.ts'
import { ensureKey } from './rotation.ts'
import { findSigner, NO_SIGNER, reserve } from './signer.ts'
import { keysFor, type KeyPurpose, type SigningKey } from './signing_key.ts'

// The OpenID library composes header and payload: the key id is read first, and the key used then.

/** Another process has revoked the key since its id was read; a retry takes the next key. */
export class SigningKeyRevoked extends Error {
  constructor() {
    super('The signing key was revoked while a token was signed')
  }
}

export async function withLiveKey<Result>(issue: () => Promise<Result>) {
  return issue().catch((error: unknown) => {
    if (error instanceof SigningKeyRevoked) return issue()
    throw error
  })
}

const privateKeys = new Map<string, KeyObject>()

const decode = createDecoder({ complete: true })

/** Makes the first key of a purpose. */
export async function signingKid(purpose: KeyPurpose) {
  const key = findSigner(purpose, await ensureKey(purpose, await knownKeys()))
  if (!key) throw new Error(NO_SIGNER)
  return key.kid
}

/** Reserves the token's end first: the key stays published until then. @throws SigningKeyRevoked */
export async function signJws(input: Buffer) {
  const { header, payload } = decode(`${input}.`)
  const keys = await knownKeys()
  const key = keys.find(({ kid }) => kid === header.kid)
  if (!key || !(await reserve(key.kid, payload.exp * 1_000))) {
    forgetKnownKeys()
    throw new SigningKeyRevoked()
  }
  const privateKey = privateKeyOf(key)
  if (key.algorithm === 'EdDSA') return sign(null, input, privateKey)
  return sign('sha256', input, { key: privateKey, dsaEncoding: 'ieee-p1363' })
}

function privateKeyOf(key: SigningKey) {
  const known = privateKeys.get(key.kid)
  if (known) return known
  const pem = decryptPrivateKey(key)
  if (pem === null) throw new Error(NO_SIGNER)
  const parsed = createPrivateKey(pem)
  privateKeys.set(key.kid, parsed)
  return parsed
}

/** Null for any id but a key for ID tokens that was not revoked. */
export async function findIdentityKey(kid: unknown) {
  const keys = keysFor('identity', await knownKeys())
  const key = keys.find((each) => each.kid === kid && each.revokedAt === null)
  return key ? createPublicKey({ key: key.publicJwk as JsonWebKey, format: 'jwk' }) : null
}
