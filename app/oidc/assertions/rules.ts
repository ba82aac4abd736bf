import settings from '#config/oidc'
import { ASSERTION_ALGORITHMS, FAPI_ALGORITHMS } from './client_keys.ts'

/* RFC 7523, section 3, and for some clients the FAPI 2.0 Security Profile. */

export interface AssertionClaims {
  aud?: unknown
  exp?: unknown
  iat?: unknown
}

export interface AssertingClient {
  isFapi: boolean
}

export function algorithmsOf({ isFapi }: AssertingClient) {
  return isFapi ? FAPI_ALGORITHMS : ASSERTION_ALGORITHMS
}

/** @param endpoints the token endpoint and the requested one (RFC 7523, 3; RFC 9126, 2) */
export function audiencesOf({ isFapi }: AssertingClient, endpoints: string[]) {
  return isFapi ? [settings.issuer] : [settings.issuer, ...endpoints]
}

/** Returns null if the assertion may pass. An attacker must not store rows for years. */
export function assertionError({ aud, exp, iat }: AssertionClaims, { isFapi }: AssertingClient) {
  const now = Math.floor(Date.now() / 1_000)
  const { longestSeconds, aheadSeconds } = settings.assertions
  if (typeof exp !== 'number' || exp > now + longestSeconds) {
    return 'exp must be at most an hour ahead'
  }
  if (typeof iat === 'number' && iat > now + aheadSeconds) return 'iat is in the future'
  return isFapi && typeof aud !== 'string' ? 'aud must be the issuer alone' : null
}
