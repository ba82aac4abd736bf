import encryption from '@adonisjs/core/services/encryption'
import type { JWK } from 'jose'
import type { KeyAlgorithm, SigningKey } from './signing_key.ts'

// Bound to the key id: an attacker who writes to the database cannot replace a private part.

interface KeyPair {
  kid: string
  publicJwk: JWK
  encryptedPrivateKey: string
}

export const privateKeyPurpose = (kid: string) => `signing_key:${kid}`

/** Skips an id that begins with a hyphen, which `keys:revoke` would read as an option. */
export async function generateKeyPair(algorithm: KeyAlgorithm): Promise<KeyPair> {
  const jose = await import('jose')
  const pair = await jose.generateKeyPair(algorithm, { extractable: true })
  const publicJwk = await jose.exportJWK(pair.publicKey)
  const kid = await jose.calculateJwkThumbprint(publicJwk)
  if (kid.startsWith('-')) return generateKeyPair(algorithm)
  const pem = await jose.exportPKCS8(pair.privateKey)
  return { kid, publicJwk, encryptedPrivateKey: encryptPrivateKey(kid, pem) }
}

function encryptPrivateKey(kid: string, pem: string) {
  return encryption.encrypt(pem, { purpose: privateKeyPurpose(kid) })
}

/** PEM (PKCS #8); null if no entry of `APP_KEY` decrypts it. */
export function decryptPrivateKey({ kid, encryptedPrivateKey }: SigningKey): string | null {
  return (
    encryptedPrivateKey && encryption.decrypt<string>(encryptedPrivateKey, privateKeyPurpose(kid))
  )
}
