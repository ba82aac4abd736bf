import { generateSecret, generateURI, verify } from 'otplib'
import encryption from '@adonisjs/core/services/encryption'
import settings from '#config/mfa'

// RFC 6238 with SHA-1, six digits and 30 seconds, which every authenticator app supports. The
// secret is bound to its user: an attacker who writes to the database cannot copy one to a victim.

export const secretPurpose = (userId: string) => `mfa:${userId}`

export function encryptSecret(userId: string, secret: string) {
  return encryption.use('mfa').encrypt(secret, { purpose: secretPurpose(userId) })
}

/** Returns Base32, or null if no key of the keyring decrypts the secret. */
export function decryptSecret(userId: string, encrypted: string): string | null {
  return encryption.use('mfa').decrypt<string>(encrypted, secretPurpose(userId))
}

export function newSecret(email: string) {
  const secret = generateSecret()
  return { secret, otpauthUrl: otpauthUrlOf(email, secret) }
}

export function otpauthUrlOf(email: string, secret: string) {
  return generateURI({ issuer: settings.issuer, label: email, secret })
}

/** Checks the form, because the library throws on a code of another form. */
export function isOneTimeCode(code: string) {
  return /^\d{6}$/.test(code)
}

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
