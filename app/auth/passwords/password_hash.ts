import { randomBytes } from 'node:crypto'
import passwords from '#config/passwords'
import hash from '@adonisjs/core/services/hash'
import { queueHash } from './hash_queue.ts'
import { normalizePassword } from './policy.ts'

const { memoryCost, timeCost, parallelism } = passwords.argon2

// An unknown address takes the time of a hash: the time must not tell an attacker which exist.
// The decoy is random, so that no password matches it.
const DECOY = [
  '$argon2id$v=19',
  `m=${memoryCost},t=${timeCost},p=${parallelism}`,
  unpadded(randomBytes(16)),
  unpadded(randomBytes(32)),
].join('$')

function unpadded(bytes: Buffer) {
  return bytes.toString('base64').replace(/=+$/, '')
}

export function hashPassword(password: string) {
  return queueHash(() => hash.make(normalizePassword(password)))
}

export async function verifyPassword(stored: string | null | undefined, password: string) {
  const isMatch = await queueHash(() => compareForms(stored ?? DECOY, password))
  return isMatch && Boolean(stored)
}

// Tries NFC, and then the typed form: the system of an imported hash may have hashed that form.
// The decoy is compared as often as a real hash.
async function compareForms(stored: string, password: string) {
  const normalized = normalizePassword(password)
  if (await compare(stored, normalized)) return true
  return normalized !== password && compare(stored, password)
}

async function compare(stored: string, password: string) {
  try {
    if (!isHashOutdated(stored)) return await hash.verify(stored, password)
    const { findHashFormat } = await import('./imported_hashes/index.ts')
    return (await findHashFormat(stored)?.verify(stored, password)) ?? false
  } catch {
    return false
  }
}

export function isHashOutdated(stored: string) {
  return hash.needsReHash(stored)
}
