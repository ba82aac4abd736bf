import { validate as isUuid } from 'uuid'

/** Claims that every token of the product carries (RFC 7519, section 4.1). */
export interface StandardClaims {
  iss: string
  aud: string
  sub: string
  jti: string
  /** Seconds since the epoch. */
  iat: number
  exp: number
}

/** The most verified tokens in memory: a token is verified once and not at each request. */
export const VERIFIED_TOKENS = 10_000

/** How far the clocks of two servers may differ, in seconds; further ahead, a token is forged. */
const CLOCK_LEEWAY = 60

/** The longest `jti` of ours: a session id, a dot and a UUID. */
const MAX_TOKEN_ID_LENGTH = 128

/** Required, because `allowedIss` and `allowedAud` pass a token that has no such claim. */
export const REQUIRED_CLAIMS = ['iss', 'aud', 'sub', 'jti', 'iat', 'exp']

/** An attacker who held the secret for a moment must gain no token that outlives it by far. */
export function isCurrent({ iat, exp }: StandardClaims, longestLife: number) {
  const now = Date.now() / 1_000
  return iat <= now + CLOCK_LEEWAY && exp > now && exp - iat <= longestLife
}

/**
 * Whoever holds a secret of the keyring can sign anything. Ids of another form must not
 * reach the store: Postgres would refuse the query of a whole batch of requests for one.
 */
export function hasValidStandardClaims({ sub, jti, iat, exp }: StandardClaims) {
  return (
    Number.isFinite(iat) &&
    Number.isFinite(exp) &&
    isUuid(sub) &&
    typeof jti === 'string' &&
    jti.length <= MAX_TOKEN_ID_LENGTH
  )
}
