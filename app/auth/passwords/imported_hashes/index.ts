import { argon2Hash } from './argon2.ts'
import { bcryptHash } from './bcrypt.ts'
import { firebaseHash } from './firebase.ts'
import { pbkdf2Hash } from './pbkdf2.ts'
import { scryptHash } from './scrypt.ts'

/*
 | Hashes of imported users. Each is verified as the system that it comes from would verify
 | it, and replaced by one of this product at the first sign-in.
 */

const FORMATS = [bcryptHash, argon2Hash, pbkdf2Hash, scryptHash, firebaseHash]

/** Printable ASCII of a bounded length, in every format. */
const PRINTABLE = /^[\x21-\x7e]{1,1024}$/

/** The format of a stored hash; undefined for one that is unknown, too weak or too costly. */
export function findHashFormat(stored: string) {
  if (!PRINTABLE.test(stored)) return undefined
  return FORMATS.find((format) => format.accepts(stored))
}
