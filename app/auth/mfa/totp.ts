import { generateSecret, generateURI, verify } from 'otplib'
import encryption from '@adonisjs/core/services/encryption'
import settings from '#config/mfa'

/*
 | One-time codes by time (RFC 6238): SHA-1, six digits, steps of 30 seconds, because
 | that is what every authenticator app understands. The secret is encrypted at rest and
 | bound to its user: copied into another row it decrypts to nothing.
 */

const purposeOf = (userId: string) => `mfa:${userId}`

export function encryptSecret(userId: string, secret: string) {
  return encryption.use('mfa').encrypt(secret, { purpose: purposeOf(userId) })
}

/** The secret in base32; null where the key ring cannot decrypt it. */
export function decryptSecret(userId: string, encrypted: string): string | null {
  return encryption.use('mfa').decrypt<string>(encrypted, purposeOf(userId))
}

/** A fresh secret and the address that an authenticator app reads. */
export function newSecret(email: string) {
  const secret = generateSecret()
  return { secret, otpauthUrl: otpauthUrlOf(email, secret) }
}

/** What the QR code of a secret says. */
export function otpauthUrlOf(email: string, secret: string) {
  return generateURI({ issuer: settings.issuer, label: email, secret })
}

/**
 * The time step that a code belongs to; null for a wrong one, and for one of a step that
 * is not after `lastStep` (RFC 6238, section 5.2: a code is accepted once).
 */
export async function findTimeStep(secret: string, code: string, lastStep: number | null) {
  const result = await verify({
    secret,
    token: code,
    period: settings.period,
    epochTolerance: settings.window * settings.period,
    ...(lastStep !== null && { afterTimeStep: lastStep }),
  })
  return result.valid && 'timeStep' in result ? Number(result.timeStep) : null
}
