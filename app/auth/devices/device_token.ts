import { validate as isUuid } from 'uuid'
import lockout from '#config/lockout'
import tokens from '#config/tokens'
import { issuer } from '#config/app'
import { Jwt } from '#auth/tokens/jwt'

/**
 * The private claims of a device token; `sub` is the user's id and `jti` names the device in
 * `known_devices`. The token opens nothing: it tells the guesses of a device from those of
 * strangers (OWASP, Slow Down Online Guessing Attacks with Device Cookies).
 */
export interface DeviceClaims {
  deviceId: string
  /** When the password was last changed, in milliseconds: a change voids the token. */
  passwordChangedAt: number
}

/** With the user in `sub` and the id of the device in `jti`. */
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

/** The claims of a genuine token that has not expired; null for any other string. */
export function verifyDeviceToken(token: string): VerifiedDevice | null {
  return jwt.verify(token)
}
