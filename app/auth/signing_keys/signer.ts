import { createSigner } from 'fast-jwt'
import settings from '#config/signing_keys'
import { onTakeover } from '#database/incarnation'
import { decryptPrivateKey } from './key_pair.ts'
import { forgetKnownKeys, knownKeys } from './known_keys.ts'
import { reserveTokens } from './key_rows.ts'
import { ensureKey } from './rotation.ts'
import { signersOf, TOKEN_TYPE, type KeyPurpose, type SigningKey } from './signing_key.ts'

type Sign = (claims: object) => string

/** The signers of this process by key id: decrypting and parsing a key takes longer than signing. */
const signers = new Map<string, Sign>()

interface Reservation {
  until: number
  isReserved: Promise<boolean>
}

/** Until when tokens of a key may end, as far as this process has reserved them. */
const reservations = new Map<string, Reservation>()

onTakeover(() => reservations.clear())

export const NO_SIGNER =
  'APP_KEY decrypts no signing key: run doctor, then keys:rotate --now (docs/commands.md)'

/** Signs with the newest key whose time has come. A key that was revoked just now is no such key. */
export async function signWithKeyPair(claims: { exp: number }) {
  const until = claims.exp * 1_000
  const key = (await reservedKey(until)) ?? (await reservedKey(until))
  if (!key) throw new Error(NO_SIGNER)
  return signerOf(key)!(claims)
}

/**
 * The signing key, once it may sign tokens that end at this time. The end is written before
 * the token exists: a key stays published until its last token has expired, whichever
 * process signed that.
 */
async function reservedKey(until: number): Promise<SigningKey | null> {
  const keys = await ensureKey('access', await knownKeys())
  const key = findSigner('access', keys)
  if (!key || (await reserve(key.kid, until))) return key ?? null
  forgetKnownKeys()
  return null
}

/** The newest key of a purpose that signs by now and that `APP_KEY` decrypts. */
export function findSigner(purpose: KeyPurpose, keys: SigningKey[]) {
  return signersOf(purpose, keys, Date.now()).find((key) => signerOf(key) !== null)
}

/** One write reserves some seconds ahead, and requests of one moment share it. */
export function reserve(kid: string, until: number) {
  const known = reservations.get(kid)
  if (known && known.until >= until) return known.isReserved
  const ahead = until + settings.reservationMs
  const isReserved = reserveTokens(kid, ahead)
  reservations.set(kid, { until: ahead, isReserved })
  isReserved.catch(() => reservations.delete(kid))
  return isReserved
}

function signerOf(key: SigningKey): Sign | null {
  const sign = signers.get(key.kid) ?? createKeySigner(key)
  if (sign) signers.set(key.kid, sign)
  return sign
}

function createKeySigner(key: SigningKey): Sign | null {
  const pem = decryptPrivateKey(key)
  const { algorithm, kid } = key
  return pem === null
    ? null
    : createSigner({ algorithm, key: pem, kid, header: { typ: TOKEN_TYPE, alg: algorithm } })
}
