import { createSigner } from 'fast-jwt'
import settings from '#config/signing_keys'
import { onConfigurationChange } from '#database/configuration_version'
import { onFailover } from '#database/incarnation'
import { clearKeyCache, cachedKeys } from './cached_keys.ts'
import { reserveTokens } from './key_rows.ts'
import { privateKeyOf } from './private_keys.ts'
import { ensureKey } from './prepare_keys.ts'
import { signersOf, TOKEN_TYPE, type KeyPurpose, type SigningKey } from './signing_key.ts'

type Sign = (claims: object) => string

const signers = new Map<string, Sign>()

interface Reservation {
  until: number
  isReserved: Promise<boolean>
}

// Maps each key id to the latest expiry that is reserved for its tokens.
const reservations = new Map<string, Reservation>()

onFailover(() => reservations.clear())
onConfigurationChange(() => reservations.clear())

export const NO_SIGNER =
  'APP_KEY decrypts no signing key: run doctor, then keys:rotate --now (docs/commands.md)'

export async function signWithKeyPair(claims: { exp: number }) {
  const until = claims.exp * 1_000
  const key = (await reservedKey(until)) ?? (await reservedKey(until))
  if (!key) throw new Error(NO_SIGNER)
  return signerOf(key)(claims)
}

// Writes the expiry before the token exists: a key is published until its last token expires.
async function reservedKey(until: number): Promise<SigningKey | null> {
  const keys = await ensureKey('access', await cachedKeys())
  const key = findSigner('access', keys)
  if (!key || (await reserve(key.kid, until))) return key ?? null
  clearKeyCache()
  return null
}

/** Returns undefined if no current key of the purpose can be decrypted by `APP_KEY`. */
export function findSigner(purpose: KeyPurpose, keys: SigningKey[]) {
  return signersOf(purpose, keys, Date.now()).find((key) => privateKeyOf(key) !== null)
}

/** Reserves some seconds ahead, so that parallel requests share one write. */
export function reserve(kid: string, until: number) {
  const known = reservations.get(kid)
  if (known && known.until >= until) return known.isReserved
  const ahead = until + settings.reservationMs
  const isReserved = reserveTokens(kid, ahead)
  reservations.set(kid, { until: ahead, isReserved })
  isReserved.catch(() => reservations.delete(kid))
  return isReserved
}

function signerOf(key: SigningKey) {
  const sign = signers.get(key.kid) ?? createKeySigner(key)
  signers.set(key.kid, sign)
  return sign
}

function createKeySigner(found: SigningKey): Sign {
  const { algorithm, kid } = found
  const key = privateKeyOf(found)!.export({ type: 'pkcs8', format: 'pem' }) as string
  return createSigner({ algorithm, key, kid, header: { typ: TOKEN_TYPE, alg: algorithm } })
}
