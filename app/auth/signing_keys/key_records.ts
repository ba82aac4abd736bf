import oidc from '#config/oidc'
import { cachedKeys } from './cached_keys.ts'
import { algorithmFor } from './prepare_keys.ts'
import { findSigner } from './signer.ts'
import {
  ID_TOKEN_ALGORITHMS,
  KEY_PURPOSES,
  shownPurpose,
  stateOf,
  type KeyPurpose,
  type KeyState,
  type SigningKey,
} from './signing_key.ts'

export interface KeyRecord {
  kid: string
  purpose: 'access' | 'identity'
  algorithm: string
  state: KeyState
  /** Milliseconds since the epoch. */
  createdAt: number
  signsFrom: number
  /** The expiry of the last token of this key; null before the first token. */
  tokensUntil: number | null
  revokedAt: number | null
}

export async function listKeys(): Promise<KeyRecord[]> {
  return describeKeys(await cachedKeys(0))
}

export function describeKeys(keys: SigningKey[]): KeyRecord[] {
  const signers = KEY_PURPOSES.map((purpose) => currentSigner(purpose, keys))
  const now = Date.now()
  return keys.map((key) => ({
    kid: key.kid,
    purpose: shownPurpose(key.purpose),
    algorithm: key.algorithm,
    state: stateOf(
      key,
      signers.find((signer) => signer === key),
      now
    ),
    createdAt: key.createdAt,
    signsFrom: key.signsFrom,
    tokensUntil: key.tokensUntil || null,
    revokedAt: key.revokedAt,
  }))
}

/** Returns how long the current key of each purpose has been signing. */
export async function signerAges() {
  const keys = await cachedKeys()
  return KEY_PURPOSES.flatMap((purpose) => {
    const signer = currentSigner(purpose, keys)
    return signer ? [{ purpose, ageMs: Date.now() - signer.signsFrom }] : []
  })
}

export function currentSigner(purpose: KeyPurpose, keys: SigningKey[]) {
  const isInUse = purpose === 'access' ? algorithmFor(purpose) !== 'HS256' : oidc.isOn
  return isInUse ? findSigner(purpose, keys) : undefined
}

/** Returns why the key in a token's header cannot verify it; null for a usable key or HS256. */
export async function invalidKeyReason({ alg, kid }: Record<string, unknown>) {
  if (!ID_TOKEN_ALGORITHMS.some((algorithm) => algorithm === alg)) return null
  const keys = await cachedKeys(0)
  const key = keys.find((known) => known.kid === kid)
  if (!key) return 'Its key is none of ours, or expired and was removed.'
  if (key.revokedAt !== null)
    return `Its key was revoked at ${new Date(key.revokedAt).toISOString()}.`
  return key.algorithm === alg ? null : `Its key is for ${key.algorithm} and nothing else.`
}
