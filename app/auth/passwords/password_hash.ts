import { randomBytes } from 'node:crypto'
import passwords from '#config/passwords'
import hash from '@adonisjs/core/services/hash'
import { queueHash } from './hash_queue.ts'

const { memoryCost, timeCost, parallelism } = passwords.argon2

/**
 * The hash that stands in for a user that does not exist, so that a login of an
 * unknown e-mail costs the same as one of a known. Of random bytes: nothing matches it.
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

/** A PHC string of the password. */
export function hashPassword(password: string) {
  return queueHash(() => hash.make(password))
}

/** Compares a password with a stored hash, or with the decoy where there is none. */
export async function verifyPassword(stored: string | null | undefined, password: string) {
  const isMatch = await queueHash(() => compare(stored ?? DECOY, password))
  return isMatch && Boolean(stored)
}

/** A hash of our own, or of the system that a user was imported from; a broken one matches nothing. */
async function compare(stored: string, password: string) {
  try {
    if (!isHashOutdated(stored)) return await hash.verify(stored, password)
    const { findHashFormat } = await import('./imported_hashes/index.ts')
    return (await findHashFormat(stored)?.verify(stored, password)) ?? false
  } catch {
    return false
  }
}

/** Whether a hash was made with other parameters than today's. */
export function isHashOutdated(stored: string) {
  return hash.needsReHash(stored)
}
