import env from '#start/env'
import limits from './limits/sizes.ts'

export default {
  /** A stolen access token works no longer than this. */
  accessTtlMs: env.get('ACCESS_TOKEN_TTL'),

  refreshTtlMs: env.get('REFRESH_TOKEN_TTL'),

  /** RFC 9700, section 4.14.2: each refresh replaces the refresh token, so that its reuse shows a theft. */
  isRotating: env.get('REFRESH_ROTATION') === 'on',

  /** A client that lost the answer gets the same successor again. */
  rotationGraceMs: 10_000,

  touchIntervalMs: 60_000,

  /** Additional claims of access tokens from our own sign-in, by the name of the claim. */
  claims: env.get('TOKEN_CLAIMS'),

  /** A cookie has at most 4,096 bytes, and the token is longer than its JSON. */
  claimBytes: env.get('AUTH_COOKIES') === 'on' ? limits.cookieClaimBytes : limits.claimBytes,

  accessSecrets: env.get('JWT_ACCESS_SECRETS'),
  refreshSecrets: env.get('JWT_REFRESH_SECRETS'),
}
