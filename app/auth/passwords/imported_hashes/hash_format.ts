import { timingSafeEqual } from 'node:crypto'

/** A format of password hashes of another system. */
export interface HashFormat {
  /** Whether a stored string is of this format and within the limits. */
  accepts(stored: string): boolean
  verify(stored: string, password: string): Promise<boolean>
}

/**
 * The highest cost of a hash that is verified. An import must not be able to plant a hash
 * whose verification keeps the machine busy for minutes (denial of service).
 */
export const COST_LIMITS = {
  /** Rounds over all blocks of a key. */
  pbkdf2Rounds: 2_000_000,
  bcryptCost: 15,
  scryptBytes: 128 * 1_024 * 1_024,
  argon2KiB: 262_144,
  argon2Passes: 10,
}

/** 16 to 128 bytes: a shorter key can be guessed, and a longer one only costs time. */
export function isKeyLength({ length }: Buffer) {
  return length >= 16 && length <= 128
}

/** Compares in constant time, so that the duration tells nothing about the stored key. */
export function isSameKey(one: Buffer, other: Buffer) {
  return one.length === other.length && one.length > 0 && timingSafeEqual(one, other)
}

/** Decodes standard, URL-safe and passlib's base64, padded or not. */
export function decodeBase64(base64: string) {
  return Buffer.from(base64.replaceAll('.', '+'), 'base64')
}
