import { cookieName } from '#config/cookies'
import { hashToken } from '#auth/tokens/hash_token'
import { verifyDeviceToken } from './device_token.ts'

export const DEVICE_COOKIE = cookieName('device')

/** How many of the latest users are kept: a browser refuses a cookie of more than 4,096 bytes. */
export const MOST_USERS = 5

/** JWTs consist of base64url and dots, so no token contains it. */
export const SEPARATOR = '~'

/**
 * Returns a hash that survives sign-outs, and is the same for each user of the browser.
 * @param cookie of the known devices @returns null for a browser without one
 */
export function browserIdOf(cookie = '') {
  const tokens = cookie.split(SEPARATOR, MOST_USERS)
  const claims = tokens.map(verifyDeviceToken).find((each) => each !== null)
  return claims ? browserIdOfDevice(claims.deviceId) : null
}

export function browserIdOfDevice(deviceId: string) {
  return hashToken(`browser:${deviceId}`)
}
