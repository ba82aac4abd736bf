import { pbkdf2 } from 'node:crypto'
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

const derive = promisify(pbkdf2)

interface Pbkdf2 {
  digest: string
  iterations: number
  salt: Buffer
  key: Buffer
}

const PHC = /^\$pbkdf2(?:-(sha1|sha256|sha512))?\$(?:i=)?(\d+)(?:,l=\d+)?\$([^$]+)\$([^$]+)$/
const DJANGO = /^pbkdf2_(sha1|sha256|sha512)\$(\d+)\$([^$]+)\$([^$]+)$/

const BLOCK_BYTES: Record<string, number> = { sha1: 20, sha256: 32, sha512: 64 }

export const pbkdf2Hash: HashFormat = {
  accepts(stored) {
    const hash = parse(stored)
    if (!hash || !isKeyLength(hash.key) || !isSaltLength(hash.salt)) return false
    const limits = COST_LIMITS.pbkdf2[hash.digest]
    const blocks = Math.ceil(hash.key.length / BLOCK_BYTES[hash.digest])
    return hash.iterations >= limits.least && hash.iterations * blocks <= limits.most
  },
  async verify(stored, password) {
    const { digest, iterations, salt, key } = parse(stored)!
    return isSameKey(await derive(password, salt, iterations, key.length, digest), key)
  },
}

// `$pbkdf2-sha256$29000$salt$hash` (PHC, passlib) and `pbkdf2_sha256$600000$salt$hash` (Django).
function parse(stored: string): Pbkdf2 | null {
  const phc = PHC.exec(stored)
  const [, digest = 'sha1', iterations, salt, key] = phc ?? DJANGO.exec(stored) ?? []
  if (!key || !isBase64(key) || (phc && !isBase64(salt))) return null
  return {
    digest,
    iterations: Number(iterations),
    salt: phc ? decodeBase64(salt) : Buffer.from(salt),
    key: decodeBase64(key),
  }
}
