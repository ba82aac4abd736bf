import settings from '#config/signing_keys'
import { E_NO_PUBLIC_KEYS } from '#auth/errors'
import { knownKeys } from './known_keys.ts'
import { algorithmFor, ensureKey } from './rotation.ts'
import { findSigner } from './signer.ts'
import {
  isUpcoming,
  KEY_PURPOSES,
  keysFor,
  stateOf,
  verifies,
  type KeyPurpose,
  type KeyState,
  type SigningKey,
} from './signing_key.ts'

/** Verify tokens of the current key and of the next one (RFC 7517). @throws E_NO_PUBLIC_KEYS */
export async function publicKeys() {
  const keys = await ensureKey('access', await knownKeys(settings.reloadPauseMs))
  const published = KEY_PURPOSES.flatMap((purpose) => publishedFor(purpose, keys))
  if (published.length === 0) throw new E_NO_PUBLIC_KEYS()
  return { keys: published.map(toPublicJwk) }
}

// None while the purpose is not in use: with HS256, or before a sign-in to an application.
function publishedFor(purpose: KeyPurpose, all: SigningKey[]) {
  const [keys, now] = [keysFor(purpose, all), Date.now()]
  const signer = currentSigner(purpose, keys)
  const isInUse = signer !== undefined || keys.some((key) => verifies(key, now))
  if (!isInUse) return []
  return keys.filter((key) => key === signer || isUpcoming(key, now) || verifies(key, now))
}

function toPublicJwk({ kid, algorithm, publicJwk }: SigningKey) {
  const { kty, crv, x, y } = publicJwk
  return { kid, alg: algorithm, use: 'sig', kty, crv, x, ...(y && { y }) }
}

export interface KeyRecord {
  kid: string
  purpose: KeyPurpose
  algorithm: string
  state: KeyState
  /** Milliseconds since the epoch. */
  createdAt: number
  signsFrom: number
  /** The expiry of its last token; null before the first. */
  tokensUntil: number | null
  revokedAt: number | null
}

export async function listKeys(): Promise<KeyRecord[]> {
  return describeKeys(await knownKeys(0))
}

export function describeKeys(keys: SigningKey[]): KeyRecord[] {
  const signers = KEY_PURPOSES.map((purpose) => currentSigner(purpose, keys))
  const now = Date.now()
  return keys.map((key) => ({
    kid: key.kid,
    purpose: key.purpose,
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

function currentSigner(purpose: KeyPurpose, keys: SigningKey[]) {
  return algorithmFor(purpose) === 'HS256' ? undefined : findSigner(purpose, keys)
}

/** Why the key of a token's header verifies none; null for a key that may, or HS256. */
export async function keyFault({ alg, kid }: Record<string, unknown>) {
  if (alg !== 'ES256' && alg !== 'EdDSA') return null
  const keys = await knownKeys(0)
  const key = keys.find((known) => known.kid === kid)
  if (!key) return 'Its key is none of ours, or expired and was removed.'
  if (key.revokedAt !== null)
    return `Its key was revoked at ${new Date(key.revokedAt).toISOString()}.`
  return key.algorithm === alg ? null : `Its key is for ${key.algorithm} and nothing else.`
}
