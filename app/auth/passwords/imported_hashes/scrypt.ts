import { scrypt } from 'node:crypto'
import { promisify } from 'node:util'
import {
  COST_LIMITS,
  decodeBase64,
  isKeyLength,
  isSameKey,
  type HashFormat,
} from './hash_format.ts'

const derive = promisify<string, Buffer, number, object, Buffer>(scrypt as any)

interface ScryptCost {
  N: number
  r: number
  p: number
}

interface Scrypt extends ScryptCost {
  salt: Buffer
  key: Buffer
}

/** `$scrypt$ln=14,r=8,p=1$salt$hash` (PHC, passlib) and `$scrypt$n=16384,…` (AdonisJS). */
const PHC = /^\$scrypt\$(ln|n)=(\d+),r=(\d+),p=(\d+)\$([^$]+)\$([^$]+)$/

/** `salt:hash` in hexadecimal at N=16384, r=16, p=1 (better-auth). */
const BETTER_AUTH = /^([\da-f]{32}):([\da-f]{128})$/

export const scryptHash: HashFormat = {
  accepts(stored) {
    const hash = parse(stored)
    if (!hash) return false
    const { N, r, p } = hash
    const isValid =
      N > 1 && Number.isInteger(Math.log2(N)) && r >= 1 && p >= 1 && isKeyLength(hash.key)
    return isValid && p <= 4 && 128 * N * r <= COST_LIMITS.scryptBytes
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

function parse(stored: string): Scrypt | null {
  const [, plainSalt, plainKey] = BETTER_AUTH.exec(stored) ?? []
  if (plainKey) {
    const key = Buffer.from(plainKey, 'hex')
    return { N: 16_384, r: 16, p: 1, salt: Buffer.from(plainSalt), key }
  }
  const [, unit, cost, r, p, salt, key] = PHC.exec(stored) ?? []
  if (!key) return null
  const N = unit === 'ln' ? 2 ** Number(cost) : Number(cost)
  return { N, r: Number(r), p: Number(p), salt: decodeBase64(salt), key: decodeBase64(key) }
}

/** Derives a key of `length` bytes. `maxmem` is twice the memory of the blocks, and 1 MiB. */
export function deriveScryptKey(
  password: string,
  salt: Buffer,
  { N, r, p, length }: ScryptCost & { length: number }
) {
  return derive(password, salt, length, { N, r, p, maxmem: 256 * N * r + 1_048_576 })
}
