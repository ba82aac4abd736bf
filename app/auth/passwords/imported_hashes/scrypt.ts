import { scrypt, type ScryptOptions } from 'node:crypto'
import { promisify } from 'node:util'
import {
  COST_LIMITS,
  decodeBase64,
  isBase64,
  isKeyLength,
  isSaltLength,
  isSameKey,
  type HashFormat,
} from './hash_format.ts'

const derive = promisify<string, Buffer, number, ScryptOptions, Buffer>(scrypt)

interface ScryptCost {
  N: number
  r: number
  p: number
}

interface Scrypt extends ScryptCost {
  salt: Buffer
  key: Buffer
}

// `$scrypt$ln=14,r=8,p=1$salt$hash` (PHC, passlib) and `$scrypt$n=16384,…` (AdonisJS).
const PHC = /^\$scrypt\$(ln|n)=(\d+),r=(\d+),p=(\d+)\$([^$]+)\$([^$]+)$/

// `salt:hash` in hexadecimal at N=16384, r=16, p=1 (better-auth).
const BETTER_AUTH = /^([\da-f]{32}):([\da-f]{128})$/

export const scryptHash: HashFormat = {
  accepts(stored) {
    const hash = parse(stored)
    return hash !== null && isScryptCost(hash) && isKeyLength(hash.key) && isSaltLength(hash.salt)
  },
  async verify(stored, password) {
    const { salt, key, ...cost } = parse(stored)!
    const derived = await deriveScryptKey(password.normalize('NFKC'), salt, {
      ...cost,
      length: key.length,
    })
    return isSameKey(derived, key)
  },
}

/** OpenSSL refuses a cost of 2^(16 r) and more (RFC 7914, section 2): no password would match. */
export function isScryptCost({ N, r, p }: ScryptCost) {
  const isComputable = Number.isInteger(Math.log2(N)) && N >= 1_024 && N < 2 ** (16 * r)
  if (!isComputable || p < 1 || p > 16) return false
  const { least, most } = COST_LIMITS.scrypt
  return 128 * N * r >= least && 128 * N * r * p <= most
}

function parse(stored: string): Scrypt | null {
  const [, plainSalt, plainKey] = BETTER_AUTH.exec(stored) ?? []
  if (plainKey) {
    const key = Buffer.from(plainKey, 'hex')
    return { N: 16_384, r: 16, p: 1, salt: Buffer.from(plainSalt), key }
  }
  const [, unit, cost, r, p, salt, key] = PHC.exec(stored) ?? []
  if (!key || !isBase64(key) || !isBase64(salt)) return null
  const N = unit === 'ln' ? 2 ** Number(cost) : Number(cost)
  return { N, r: Number(r), p: Number(p), salt: decodeBase64(salt), key: decodeBase64(key) }
}

export function deriveScryptKey(
  password: string,
  salt: Buffer,
  { N, r, p, length }: ScryptCost & { length: number }
) {
  return derive(password, salt, length, { N, r, p, maxmem: 256 * N * r + 1_048_576 })
}
