import oidc from '#config/oidc'
import settings from '#config/signing_keys'
import { E_NO_PUBLIC_KEYS } from '#auth/errors'
import { isDependencyDown } from '#exceptions/dependency_failures'
import { knownKeys } from './known_keys.ts'
import { algorithmFor, ensureKey } from './rotation.ts'
import { findSigner } from './signer.ts'
import {
  ID_TOKEN_ALGORITHMS,
  identityPurpose,
  isUpcoming,
  KEY_PURPOSES,
  keysFor,
  shownPurpose,
  stateOf,
  verifies,
  type KeyPurpose,
  type KeyState,
  type SigningKey,
} from './signing_key.ts'

/** Verify tokens of the current keys and of the next ones (RFC 7517). @throws E_NO_PUBLIC_KEYS */
export async function publicKeys() {
  const known = await ensureKey('access', await knownKeys(settings.reloadPauseMs))
  const keys = oidc.isOn ? await ensureKey(identityPurpose('RS256'), known) : known
  const published = KEY_PURPOSES.flatMap((purpose) => publishedFor(purpose, keys))
  if (published.length === 0) throw new E_NO_PUBLIC_KEYS()
  return { keys: published.map(toPublicJwk) }
}

/** Discovery is answered without it while the database is down. */
export async function publishIdentityKey() {
  try {
    await ensureKey(identityPurpose('RS256'), await knownKeys())
  } catch (error) {
    if (!isDependencyDown(error)) throw error
  }
}

// None while the purpose is not in use: with HS256, or without an application of its algorithm.
function publishedFor(purpose: KeyPurpose, all: SigningKey[]) {
  const [keys, now] = [keysFor(purpose, all), Date.now()]
  const signer = currentSigner(purpose, keys)
  const isInUse = signer !== undefined || keys.some((key) => verifies(key, now))
  if (!isInUse) return []
  return keys.filter((key) => key === signer || isUpcoming(key, now) || verifies(key, now))
}

function toPublicJwk({ kid, algorithm, publicJwk }: SigningKey) {
  const { kty, crv, x, y, n, e } = publicJwk
  const members = kty === 'RSA' ? { n, e } : { crv, x, ...(y && { y }) }
  return { kid, alg: algorithm, use: 'sig', kty, ...members }
}

export interface KeyRecord {
  kid: string
  purpose: 'access' | 'identity'
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

function currentSigner(purpose: KeyPurpose, keys: SigningKey[]) {
  const isInUse = purpose === 'access' ? algorithmFor(purpose) !== 'HS256' : oidc.isOn
  return isInUse ? findSigner(purpose, keys) : undefined
}

/** Why the key of a token's header verifies none; null for a key that may, or HS256. */
export async function keyFault({ alg, kid }: Record<string, unknown>) {
  if (!ID_TOKEN_ALGORITHMS.some((algorithm) => algorithm === alg)) return null
  const keys = await knownKeys(0)
  const key = keys.find((known) => known.kid === kid)
  if (!key) return 'Its key is none of ours, or expired and was removed.'
  if (key.revokedAt !== null)
    return `Its key was revoked at ${new Date(key.revokedAt).toISOString()}.`
  return key.algorithm === alg ? null : `Its key is for ${key.algorithm} and nothing else.`
}
