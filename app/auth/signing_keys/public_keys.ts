import oidc from '#config/oidc'
import settings from '#config/signing_keys'
import { E_NO_PUBLIC_KEYS } from '#auth/errors'
import { isDependencyDown } from '#exceptions/dependency_failures'
import { cachedKeys } from './cached_keys.ts'
import { ensureKey } from './prepare_keys.ts'
import {
  identityPurpose,
  isUpcoming,
  KEY_PURPOSES,
  keysFor,
  verifies,
  type KeyPurpose,
  type SigningKey,
} from './signing_key.ts'
import { currentSigner } from './key_records.ts'

/** Returns the keys that verify tokens now or soon (RFC 7517). @throws E_NO_PUBLIC_KEYS */
export async function publicKeys() {
  const known = await ensureKey('access', await cachedKeys(settings.reloadPauseMs))
  const keys = oidc.isOn ? await ensureKey(identityPurpose('RS256'), known) : known
  const published = KEY_PURPOSES.flatMap((purpose) => publishedFor(purpose, keys))
  if (published.length === 0) throw new E_NO_PUBLIC_KEYS()
  return { keys: published.map(toPublicJwk) }
}

/** Creates the key for discovery, which is answered without it while the database is down. */
export async function publishIdentityKey() {
  try {
    await ensureKey(identityPurpose('RS256'), await cachedKeys())
  } catch (error) {
    if (!isDependencyDown(error)) throw error
  }
}

// Returns no key for an unused purpose: under HS256, or if no application uses its algorithm.
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
