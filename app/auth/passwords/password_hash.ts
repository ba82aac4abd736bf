import { randomBytes } from 'node:crypto'
import passwords from '#config/passwords'
import hash from '@adonisjs/core/services/hash'
import { queueHash } from './hash_queue.ts'
import { normalizePassword } from './normalize.ts'

const { memoryCost, timeCost, parallelism } = passwords.argon2

/**
 * A hash to verify against where there is no user or no password, so that a login with an
 * unknown address takes as long as one with a known address. Otherwise an attacker could
 * find out by the time which addresses have an account. It is random: no password matches.
 */
const DECOY = [
  '$argon2id$v=19',
  `m=${memoryCost},t=${timeCost},p=${parallelism}`,
  unpadded(randomBytes(16)),
  unpadded(randomBytes(32)),
].join('$')

function unpadded(bytes: Buffer) {
  return bytes.toString('base64').replace(/=+$/, '')
}

/** Hashes a password, in NFC, into a PHC string. */
export function hashPassword(password: string) {
  return queueHash(() => hash.make(normalizePassword(password)))
}

/** Compares a password with a stored hash, or with the decoy if there is none. */
export async function verifyPassword(stored: string | null | undefined, password: string) {
  const isMatch = await queueHash(() => compareForms(stored ?? DECOY, password))
  return isMatch && Boolean(stored)
}

/**
 * Compares in NFC, and then as it was typed: the system that an imported hash comes from
 * may have hashed what its client sent. The decoy is compared as often as a real hash.
 */
async function compareForms(stored: string, password: string) {
  const normalized = normalizePassword(password)
  if (await compare(stored, normalized)) return true
  return normalized !== password && compare(stored, password)
}

/** Compares with a hash of this product or of an imported user. A malformed hash matches no password. */
async function compare(stored: string, password: string) {
  try {
    if (!isHashOutdated(stored)) return await hash.verify(stored, password)
    const { findHashFormat } = await import('./imported_hashes/index.ts')
    return (await findHashFormat(stored)?.verify(stored, password)) ?? false
  } catch {
    return false
  }
}

/** Whether a hash has another algorithm or other parameters than new hashes get. */
export function isHashOutdated(stored: string) {
  return hash.needsReHash(stored)
}
