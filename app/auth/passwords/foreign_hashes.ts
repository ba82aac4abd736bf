import { createCipheriv, createHash, pbkdf2, scrypt, timingSafeEqual } from 'node:crypto'
import { promisify } from 'node:util'

/*
 | Hashes that imported users bring along. Each is verified as its system would, and
 | replaced by one of ours at the first login. What it costs is bounded: an import must
 | not be able to plant a hash that keeps this machine busy for minutes.
 */

const derivePbkdf2 = promisify(pbkdf2)
const deriveScrypt = promisify<string, Buffer, number, object, Buffer>(scrypt as any)

/** Rounds of PBKDF2 over all blocks of a key, cost of bcrypt, and bytes and passes of scrypt and argon2, at most. */
export const COST_LIMITS = {
  pbkdf2Rounds: 2_000_000,
  bcryptCost: 15,
  scryptBytes: 128 * 1_024 * 1_024,
  argon2KiB: 262_144,
  argon2Passes: 10,
}

interface ForeignHash {
  /** Whether a stored string is of this kind, and within the limits. */
  accepts(stored: string): boolean
  verify(stored: string, password: string): Promise<boolean>
}

/** As long as derived keys are: a shorter one is guessed, a longer one only costs. */
function isKey(key: Buffer) {
  return key.length >= 16 && key.length <= 128
}

function isSame(one: Buffer, other: Buffer) {
  return one.length === other.length && one.length > 0 && timingSafeEqual(one, other)
}

/** Standard, URL-safe and passlib's base64, padded or not. */
function bytes(base64: string) {
  return Buffer.from(base64.replaceAll('.', '+'), 'base64')
}

/** Django's `bcrypt_sha256` hashes the hexadecimal digest of the password. */
const BCRYPT = /^(?:bcrypt_sha256\$)?\$2[abxy]?\$(\d\d)\$[./A-Za-z0-9]{53}$/

const bcryptHash: ForeignHash = {
  accepts: (stored) => Number(BCRYPT.exec(stored)?.[1] ?? 99) <= COST_LIMITS.bcryptCost,
  async verify(stored, password) {
    const { default: bcrypt } = await import('bcrypt')
    const [digest, hash] = stored.startsWith('$') ? ['', stored] : stored.split(/\$(?=\$)/)
    const given = digest ? createHash('sha256').update(password).digest('hex') : password
    return bcrypt.compare(given, hash.replace(/^\$2[xy]?\$/, '$2b$'))
  },
}

/** `$argon2id$`, ours among them, `$argon2i$` and `$argon2d$`. */
const ARGON2 =
  /^\$argon2(?:id|i|d)\$v=19\$m=(\d+),t=(\d+),p=(\d{1,2})\$([A-Za-z0-9+/]{11,86})\$([A-Za-z0-9+/]+)$/

const argon2Hash: ForeignHash = {
  accepts(stored) {
    const [, memory, passes, lanes, , key] = ARGON2.exec(stored) ?? []
    if (!key || !isKey(bytes(key))) return false
    const [m, t, p] = [memory, passes, lanes].map(Number)
    const isSound = t >= 1 && p >= 1 && p <= 16 && m >= 8 * p
    return isSound && m <= COST_LIMITS.argon2KiB && t <= COST_LIMITS.argon2Passes
  },
  async verify(stored, password) {
    const { verify } = await import('@node-rs/argon2')
    return verify(stored, password)
  },
}

interface Pbkdf2 {
  digest: string
  iterations: number
  salt: Buffer
  key: Buffer
}

/** `$pbkdf2-sha256$29000$salt$hash` (PHC, passlib) and `pbkdf2_sha256$600000$salt$hash` (Django). */
function readPbkdf2(stored: string): Pbkdf2 | null {
  const phc =
    /^\$pbkdf2(?:-(sha1|sha256|sha512))?\$(?:i=)?(\d+)(?:,l=\d+)?\$([^$]+)\$([^$]+)$/.exec(stored)
  const django = /^pbkdf2_(sha1|sha256|sha512)\$(\d+)\$([^$]+)\$([^$]+)$/.exec(stored)
  const [, digest = 'sha1', iterations, salt, key] = phc ?? django ?? []
  if (!key) return null
  return {
    digest,
    iterations: Number(iterations),
    salt: phc ? bytes(salt) : Buffer.from(salt),
    key: bytes(key),
  }
}

/** Bytes of a digest: a key that is longer is made block by block, each at full cost. */
const BLOCK: Record<string, number> = { sha1: 20, sha256: 32, sha512: 64 }

const pbkdf2Hash: ForeignHash = {
  accepts(stored) {
    const hash = readPbkdf2(stored)
    if (!hash || hash.iterations < 1 || !isKey(hash.key)) return false
    const blocks = Math.ceil(hash.key.length / BLOCK[hash.digest])
    return hash.iterations * blocks <= COST_LIMITS.pbkdf2Rounds
  },
  async verify(stored, password) {
    const { digest, iterations, salt, key } = readPbkdf2(stored)!
    return isSame(await derivePbkdf2(password, salt, iterations, key.length, digest), key)
  },
}

interface Scrypt {
  N: number
  r: number
  p: number
  salt: Buffer
  key: Buffer
}

/**
 * `$scrypt$ln=14,r=8,p=1$salt$hash` (PHC, passlib), `$scrypt$n=16384,r=8,p=1$salt$hash`
 * (AdonisJS) and `salt:hash` in hexadecimal at N=16384, r=16 (better-auth).
 */
function readScrypt(stored: string): Scrypt | null {
  const phc = /^\$scrypt\$(ln|n)=(\d+),r=(\d+),p=(\d+)\$([^$]+)\$([^$]+)$/.exec(stored)
  const plain = /^([\da-f]{32}):([\da-f]{128})$/.exec(stored)
  if (plain) {
    const [, salt, key] = plain
    return { N: 16_384, r: 16, p: 1, salt: Buffer.from(salt), key: Buffer.from(key, 'hex') }
  }
  if (!phc) return null
  const [, unit, cost, r, p, salt, key] = phc
  const N = unit === 'ln' ? 2 ** Number(cost) : Number(cost)
  return { N, r: Number(r), p: Number(p), salt: bytes(salt), key: bytes(key) }
}

/** Bytes that scrypt may take: twice its blocks, and room for the least of them. */
function memoryOf(N: number, r: number) {
  return 256 * N * r + 1_048_576
}

const scryptHash: ForeignHash = {
  accepts(stored) {
    const hash = readScrypt(stored)
    if (!hash) return false
    const { N, r, p } = hash
    const isSound = N > 1 && Number.isInteger(Math.log2(N)) && r >= 1 && p >= 1 && isKey(hash.key)
    return isSound && p <= 4 && 128 * N * r <= COST_LIMITS.scryptBytes
  },
  async verify(stored, password) {
    const { N, r, p, salt, key } = readScrypt(stored)!
    const maxmem = memoryOf(N, r)
    return isSame(
      await deriveScrypt(password.normalize('NFKC'), salt, key.length, { N, r, p, maxmem }),
      key
    )
  },
}

/**
 * `$firebase-scrypt$signerKey$saltSeparator$rounds$memoryCost$salt$hash`: the project's
 * parameters beside each hash, all in base64. Firebase encrypts its signer key with the
 * key that scrypt derives.
 */
const FIREBASE = /^\$firebase-scrypt\$([^$]+)\$([^$]*)\$(\d{1,2})\$(\d{1,2})\$([^$]+)\$([^$]+)$/

const firebaseHash: ForeignHash = {
  accepts(stored) {
    const [, , , rounds, memoryCost] = FIREBASE.exec(stored) ?? []
    if (Number(rounds) < 1 || Number(memoryCost) < 1) return false
    return 128 * 2 ** Number(memoryCost) * Number(rounds) <= COST_LIMITS.scryptBytes
  },
  async verify(stored, password) {
    const [, signerKey, separator, rounds, memoryCost, salt, hash] = FIREBASE.exec(stored)!
    const salted = Buffer.concat([bytes(salt), bytes(separator)])
    const [N, r] = [2 ** Number(memoryCost), Number(rounds)]
    const derived = await deriveScrypt(password, salted, 64, { N, r, p: 1, maxmem: memoryOf(N, r) })
    const cipher = createCipheriv('aes-256-ctr', derived.subarray(0, 32), Buffer.alloc(16))
    return isSame(Buffer.concat([cipher.update(bytes(signerKey)), cipher.final()]), bytes(hash))
  },
}

/** Printable ASCII of a bounded length, whatever the kind. */
const PLAIN = /^[\x21-\x7e]{1,1024}$/

const KINDS = [bcryptHash, argon2Hash, pbkdf2Hash, scryptHash, firebaseHash]

/** The kind of a stored hash; undefined for one that is unknown or beyond the limits. */
export function foreignHashOf(stored: string) {
  if (!PLAIN.test(stored)) return undefined
  return KINDS.find((kind) => kind.accepts(stored))
}
