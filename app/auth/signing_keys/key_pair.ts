import * as crypto from 'node:crypto'
import { promisify } from 'node:util'
import encryption from '@adonisjs/core/services/encryption'
import type { JWK } from 'jose'
import type { KeyAlgorithm, SigningKey } from './signing_key.ts'

// Encryption binds a private key to its id, so a database writer cannot replace private keys.

export interface KeyPair {
  kid: string
  publicJwk: JWK
  encryptedPrivateKey: string
}

export const privateKeyPurpose = (kid: string) => `signing_key:${kid}`

const generate = promisify(crypto.generateKeyPair)

/** Generates on a thread, because an RSA key pair takes hundreds of milliseconds. */
const GENERATORS: Record<KeyAlgorithm, () => Promise<crypto.KeyPairKeyObjectResult>> = {
  /** NIST SP 800-57, part 1: 112 bits of security. */
  RS256: () => generate('rsa', { modulusLength: 2_048 }),
  ES256: () => generate('ec', { namedCurve: 'P-256' }),
  EdDSA: () => generate('ed25519'),
}

/** Skips an id that begins with a hyphen, which `keys:revoke` would read as an option. */
export async function generateKeyPair(algorithm: KeyAlgorithm): Promise<KeyPair> {
  const jose = await import('jose')
  const { publicKey, privateKey } = await GENERATORS[algorithm]()
  const publicJwk = publicKey.export({ format: 'jwk' }) as JWK
  const kid = await jose.calculateJwkThumbprint(publicJwk)
  if (kid.startsWith('-')) return generateKeyPair(algorithm)
  const pem = privateKey.export({ type: 'pkcs8', format: 'pem' }) as string
  return { kid, publicJwk, encryptedPrivateKey: encryptPrivateKey(kid, pem) }
}

function encryptPrivateKey(kid: string, pem: string) {
  return encryption.encrypt(pem, { purpose: privateKeyPurpose(kid) })
}

/** Returns PEM (PKCS #8), or null if no entry of `APP_KEY` decrypts the key. */
export function decryptPrivateKey({ kid, encryptedPrivateKey }: SigningKey): string | null {
  return (
    encryptedPrivateKey && encryption.decrypt<string>(encryptedPrivateKey, privateKeyPurpose(kid))
  )
}
