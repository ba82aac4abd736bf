import { timingSafeEqual } from 'node:crypto'

export interface HashFormat {
  accepts(stored: string): boolean
  verify(stored: string, password: string): Promise<boolean>
}

interface Bounds {
  least: number
  most: number
}

/**
 * At most 500 ms of a core (docs/decisions.md): a costlier hash would slow every login (DoS).
 * At least 0.3 ms: an attacker with the hashes tries cheaper ones as fast as plain text.
 */
export const COST_LIMITS = {
  /** The base-two logarithm of the rounds; the format itself allows no lower value. */
  bcrypt: { least: 4, most: 12 },
  /** Rounds over all blocks of a key (RFC 8018, section 4.2). */
  pbkdf2: {
    sha1: { least: 1_000, most: 1_500_000 },
    sha256: { least: 1_000, most: 1_500_000 },
    sha512: { least: 1_000, most: 500_000 },
  } as Record<string, Bounds>,
  /** Bytes of memory, times the lanes, which are computed one after the other. */
  scrypt: { least: 1_048_576, most: 134_217_728 },
  /** KiB of memory, times the passes. */
  argon2: { least: 1_024, most: 393_216 },
}

export function isWithin(cost: number, { least, most }: Bounds) {
  return cost >= least && cost <= most
}

/** 8 bytes (RFC 8018, section 4.1): one table of guesses must not work for many users. */
export function isSaltLength({ length }: Buffer) {
  return length >= 8
}

/** 16 to 128 bytes: a shorter key can be guessed, and a longer one only costs time. */
export function isKeyLength({ length }: Buffer) {
  return length >= 16 && length <= 128
}

/** Compares in constant time, so that the duration tells nothing about the stored key. */
export function isSameKey(one: Buffer, other: Buffer) {
  return one.length === other.length && one.length > 0 && timingSafeEqual(one, other)
}

/** Partial base64 would decode without an error and match no password. */
export function isBase64(text: string) {
  return /^[A-Za-z0-9+/._-]+={0,2}$/.test(text) && text.replace(/=+$/, '').length % 4 !== 1
}

export function decodeBase64(base64: string) {
  return Buffer.from(base64.replaceAll('.', '+'), 'base64')
}
