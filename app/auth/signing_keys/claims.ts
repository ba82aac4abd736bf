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

/** Bounds the memory of verified tokens, each of which is verified once. */
export const VERIFIED_TOKENS = 10_000

// In seconds, between the clocks of two servers; further ahead, a token is forged.
const CLOCK_LEEWAY = 60

// A session id, a dot and a UUID.
const MAX_TOKEN_ID_LENGTH = 128

/** `allowedIss` and `allowedAud` pass a token without such a claim. */
export const REQUIRED_CLAIMS = ['iss', 'aud', 'sub', 'jti', 'iat', 'exp']

/** An attacker who held the secret for a moment must gain no token that outlives it by far. */
export function isCurrent({ iat, exp }: StandardClaims, longestLife: number) {
  const now = Date.now() / 1_000
  return iat <= now + CLOCK_LEEWAY && exp > now && exp - iat <= longestLife
}

/** Bounds ids even of signed tokens: Postgres would refuse the whole batch of requests for one. */
export function hasValidStandardClaims({ sub, jti, iat, exp }: StandardClaims) {
  return (
    Number.isFinite(iat) &&
    Number.isFinite(exp) &&
    isUuid(sub) &&
    typeof jti === 'string' &&
    jti.length <= MAX_TOKEN_ID_LENGTH
  )
}
