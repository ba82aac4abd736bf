import { argon2Hash } from './argon2.ts'
import { bcryptHash } from './bcrypt.ts'
import { firebaseHash } from './firebase.ts'
import { pbkdf2Hash } from './pbkdf2.ts'
import { scryptHash } from './scrypt.ts'

// The first sign-in replaces an imported hash with a hash of this product.

const FORMATS = [bcryptHash, argon2Hash, pbkdf2Hash, scryptHash, firebaseHash]

const PRINTABLE = /^[\x21-\x7e]{1,1024}$/

/** Returns undefined for a hash that is unknown, too weak or too costly. */
export function findHashFormat(stored: string) {
  if (!PRINTABLE.test(stored)) return undefined
  return FORMATS.find((format) => format.accepts(stored))
}
