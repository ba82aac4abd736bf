import settings from '#config/signing_keys'
import { SYSTEM } from '#audit/actor'
import { cachedKeys } from './cached_keys.ts'
import {
  identityAlgorithm,
  isUpcoming,
  newestOf,
  signersOf,
  type KeyAlgorithm,
  type KeyPurpose,
  type SigningKey,
  type TokenAlgorithm,
} from './signing_key.ts'
import { addKey, changeKeys, startNow, type Addition } from './key_changes.ts'

/** The setting is for access tokens; each application has its own algorithm for ID tokens. */
export function algorithmFor(purpose: KeyPurpose): TokenAlgorithm | KeyAlgorithm {
  return purpose === 'access' ? settings.algorithm : identityAlgorithm(purpose)
}

export async function prepareKeys() {
  const { algorithm } = settings
  const keys = await ensureKey('access', await cachedKeys(0))
  if (algorithm === 'HS256') return
  const newest = newestOf('access', keys)
  if (newest?.algorithm === algorithm) return
  const signsFrom = nextSignsFrom()
  await addKey(keys, { purpose: 'access', algorithm, signsFrom, actor: SYSTEM })
}

/** Replaces no key for a new algorithm: old and new processes of an update would alternate. */
export async function ensureKey(purpose: KeyPurpose, keys: SigningKey[]) {
  const algorithm = algorithmFor(purpose)
  if (algorithm === 'HS256') return keys
  const now = Date.now()
  const newest = newestOf(purpose, keys)
  const add = (signsFrom: number) => addOnce(keys, { purpose, algorithm, actor: SYSTEM, signsFrom })
  if (!newest) return add(now)
  if (isDue(newest)) return add(nextSignsFrom())
  if (signersOf(purpose, keys, now).length > 0 || !isUpcoming(newest, now)) return keys
  return changeKeys((trx) => startNow(newest, SYSTEM, trx))
}

// Parallel calls share one addition: each would otherwise compute a key pair and discard it.
const additions = new Map<KeyPurpose, Promise<SigningKey[]>>()

function addOnce(keys: SigningKey[], addition: Addition) {
  const { purpose } = addition
  const running = additions.get(purpose)
  if (running) return running
  const added = addKey(keys, addition).finally(() => additions.delete(purpose))
  additions.set(purpose, added)
  return added
}

// Becomes true early enough for the next key to sign when this key reaches its maximum age.
function isDue({ signsFrom }: SigningKey) {
  const { rotationMs } = settings
  return rotationMs !== null && signsFrom + rotationMs <= nextSignsFrom()
}

export function nextSignsFrom() {
  return Date.now() + settings.publishedBeforeMs
}
