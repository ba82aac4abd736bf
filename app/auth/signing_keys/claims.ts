import { validate as isUuid } from 'uuid'

/** RFC 7519, section 4.1. */
export interface StandardClaims {
  iss: string
  aud: string
  sub: string
  jti: string
  /** Seconds since the epoch. */
  iat: number
  exp: number
}

/** Limits the number of verified tokens in memory, which are not verified again. */
export const VERIFIED_TOKENS = 10_000

// Seconds that the clocks of two servers may differ. A token from further ahead is forged.
const CLOCK_LEEWAY = 60

// A session id, a dot and a UUID.
const MAX_TOKEN_ID_LENGTH = 128

/** Required here, because `allowedIss` and `allowedAud` accept a token without the claim. */
export const REQUIRED_CLAIMS = ['iss', 'aud', 'sub', 'jti', 'iat', 'exp']

/** Limits the lifetime: an attacker who held the secret briefly must not gain a lasting token. */
export function isCurrent({ iat, exp }: StandardClaims, longestLife: number) {
  const now = Date.now() / 1_000
  return iat <= now + CLOCK_LEEWAY && exp > now && exp - iat <= longestLife
}

/** Checks ids even of signed tokens: for one bad id, Postgres would refuse a batch of requests. */
export function hasValidStandardClaims({ sub, jti, iat, exp }: StandardClaims) {
  return (
    Number.isFinite(iat) &&
    Number.isFinite(exp) &&
    isUuid(sub) &&
    typeof jti === 'string' &&
    jti.length <= MAX_TOKEN_ID_LENGTH
  )
}
