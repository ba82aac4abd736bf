import env from '#start/env'

/** Lifetimes in milliseconds. */
export default {
  /** How long an access token is good for; what a stolen one is worth until its session ends. */
  accessTtlMs: env.get('ACCESS_TOKEN_TTL'),

  /** How long a session lives from its login on. */
  refreshTtlMs: env.get('REFRESH_TOKEN_TTL'),

  /** Whether each refresh replaces the refresh token (RFC 9700, section 4.14.2). */
  isRotating: env.get('REFRESH_ROTATION') === 'on',

  /** For how long the replaced refresh token still yields its successor: a lost answer may be asked again. */
  rotationGraceMs: 10_000,

  /** A session's last activity is written at most this often: a hint for people, and a write less for most requests. */
  touchIntervalMs: 60_000,

  /** Rings of secrets: the first signs, all verify. */
  accessSecrets: env.get('JWT_ACCESS_SECRETS'),
  refreshSecrets: env.get('JWT_REFRESH_SECRETS'),
}
