import { createCipheriv } from 'node:crypto'
import {
  decodeBase64,
  isBase64,
  isKeyLength,
  isSaltLength,
  isSameKey,
  type HashFormat,
} from './hash_format.ts'
import { deriveScryptKey, isScryptCost } from './scrypt.ts'

// `$firebase-scrypt$signerKey$saltSeparator$rounds$memoryCost$salt$hash`, all in base64.
const FIREBASE = /^\$firebase-scrypt\$([^$]+)\$([^$]*)\$(\d{1,2})\$(\d{1,2})\$([^$]+)\$([^$]+)$/

export const firebaseHash: HashFormat = {
  accepts(stored) {
    const [, signerKey, separator, rounds, memoryCost, salt, hash] = FIREBASE.exec(stored) ?? []
    if (!hash || ![signerKey, salt, hash].every(isBase64)) return false
    if (separator !== '' && !isBase64(separator)) return false
    const [key, encrypted] = [signerKey, hash].map(decodeBase64)
    const isValid = isSaltLength(decodeBase64(salt)) && isKeyLength(key)
    return isValid && key.length === encrypted.length && isScryptCost(costOf(rounds, memoryCost))
  },
  // Firebase encrypts the signer key of the project with the key that scrypt derives.
  async verify(stored, password) {
    const [, signerKey, separator, rounds, memoryCost, salt, hash] = FIREBASE.exec(stored)!
    const salted = Buffer.concat([decodeBase64(salt), decodeBase64(separator)])
    const cost = { ...costOf(rounds, memoryCost), length: 64 }
    const derived = await deriveScryptKey(password, salted, cost)
    const cipher = createCipheriv('aes-256-ctr', derived.subarray(0, 32), Buffer.alloc(16))
    const encrypted = Buffer.concat([cipher.update(decodeBase64(signerKey)), cipher.final()])
    return isSameKey(encrypted, decodeBase64(hash))
  },
}

function costOf(rounds: string, memoryCost: string) {
  return { N: 2 ** Number(memoryCost), r: Number(rounds), p: 1 }
}
