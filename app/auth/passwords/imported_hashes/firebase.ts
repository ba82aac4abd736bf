import { createCipheriv } from 'node:crypto'
import { COST_LIMITS, decodeBase64, isSameKey, type HashFormat } from './hash_format.ts'
import { deriveScryptKey } from './scrypt.ts'

/**
 * `$firebase-scrypt$signerKey$saltSeparator$rounds$memoryCost$salt$hash`: the parameters of
 * the Firebase project beside each hash, all in base64.
 */
const FIREBASE = /^\$firebase-scrypt\$([^$]+)\$([^$]*)\$(\d{1,2})\$(\d{1,2})\$([^$]+)\$([^$]+)$/

export const firebaseHash: HashFormat = {
  accepts(stored) {
    const [, , , rounds, memoryCost] = FIREBASE.exec(stored) ?? []
    if (Number(rounds) < 1 || Number(memoryCost) < 1) return false
    return 128 * 2 ** Number(memoryCost) * Number(rounds) <= COST_LIMITS.scryptBytes
  },
  /** Firebase encrypts the signer key of the project with the key that scrypt derives. */
  async verify(stored, password) {
    const [, signerKey, separator, rounds, memoryCost, salt, hash] = FIREBASE.exec(stored)!
    const salted = Buffer.concat([decodeBase64(salt), decodeBase64(separator)])
    const cost = { N: 2 ** Number(memoryCost), r: Number(rounds), p: 1 }
    const derived = await deriveScryptKey(password, salted, { ...cost, length: 64 })
    const cipher = createCipheriv('aes-256-ctr', derived.subarray(0, 32), Buffer.alloc(16))
    const encrypted = Buffer.concat([cipher.update(decodeBase64(signerKey)), cipher.final()])
    return isSameKey(encrypted, decodeBase64(hash))
  },
}
