import { validate as isUuid } from 'uuid'
import lockout from '#config/lockout'
import tokens from '#config/tokens'
import { issuer } from '#config/app'
import { Jwt } from '#auth/tokens/jwt'

/** Tells a known device from an attacker, and opens nothing (OWASP device cookies). */
export interface DeviceClaims {
  deviceId: string
  /** In milliseconds: a later change of the password voids the token. */
  passwordChangedAt: number
}

export type VerifiedDevice = DeviceClaims & { sub: string; jti: string }

const jwt = new Jwt<DeviceClaims>({
  type: 'dt+jwt',
  secrets: tokens.refreshSecrets,
  ttlMs: lockout.deviceTtlMs,
  issuer,
  isBoundToTtl: true,
  hasValidClaims: ({ jti, deviceId, passwordChangedAt }) =>
    isUuid(jti) && typeof deviceId === 'string' && Number.isFinite(passwordChangedAt),
})

export function issueDeviceToken(claims: VerifiedDevice) {
  return jwt.issue(claims)
}

/** Returns null for any text but a genuine, current token. */
export function verifyDeviceToken(token: string): VerifiedDevice | null {
  return jwt.verify(token)
}
