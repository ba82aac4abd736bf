import { generateSecret, generateURI, verify } from 'otplib'
import encryption from '@adonisjs/core/services/encryption'
import settings from '#config/mfa'

/*
 | Time-based one-time codes (RFC 6238) with SHA-1, six digits and steps of 30 seconds,
 | which every authenticator app supports. The secret is encrypted at rest and bound to its
 | user: an attacker who can write to the database cannot copy their own secret to a victim.
 */

/** What the secret of a user is bound to. */
export const secretPurpose = (userId: string) => `mfa:${userId}`

export function encryptSecret(userId: string, secret: string) {
  return encryption.use('mfa').encrypt(secret, { purpose: secretPurpose(userId) })
}

/** The secret in base32; null if no key of the keyring decrypts it. */
export function decryptSecret(userId: string, encrypted: string): string | null {
  return encryption.use('mfa').decrypt<string>(encrypted, secretPurpose(userId))
}

/** A fresh secret and the `otpauth:` URL that an authenticator app reads. */
export function newSecret(email: string) {
  const secret = generateSecret()
  return { secret, otpauthUrl: otpauthUrlOf(email, secret) }
}

/** The `otpauth:` URL that the QR code of a secret holds. */
export function otpauthUrlOf(email: string, secret: string) {
  return generateURI({ issuer: settings.issuer, label: email, secret })
}

/** Six digits. The library throws on a code of another form instead of refusing it. */
export function isOneTimeCode(code: string) {
  return /^\d{6}$/.test(code)
}

/** Finds the time step of a code; null for a wrong one. */
export async function findTimeStep(secret: string, code: string) {
  if (!isOneTimeCode(code)) return null
  const result = await verify({
    secret,
    token: code,
    period: settings.period,
    epochTolerance: settings.window * settings.period,
  })
  return result.valid && 'timeStep' in result ? Number(result.timeStep) : null
}
