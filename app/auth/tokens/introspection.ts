import store from '#auth/store/service'
import { sessionOf, verifyAccessToken } from './access_tokens.ts'

/** An answer of RFC 7662, section 2.2. An inactive token says nothing else about itself. */
export type Introspection = { active: false } | ActiveToken

export interface ActiveToken {
  active: true
  token_type: 'Bearer'
  /** Its session (OpenID Connect Front-Channel Logout, section 3). */
  sid: string
  sub: string
  email: string
  role: string
  jti: string
  iat: number
  exp: number
  iss: string
  aud: string
}

/**
 * Whether an access token is active at this moment, by the rule that decides requests: an
 * API that only verifies signatures does not see a logout, a revocation or a disabled user.
 */
export async function introspectToken(token: string): Promise<Introspection> {
  const claims = await verifyAccessToken(token)
  if (!claims) return { active: false }
  const sid = sessionOf(claims)
  const reference = { userId: claims.sub, sessionId: sid, tokenId: claims.jti }
  const { isActive } = await store.tokenStatus(reference, Date.now())
  if (!isActive) return { active: false }
  const { sub, email, role, jti, iat, exp, iss, aud } = claims
  return { active: true, token_type: 'Bearer', sid, sub, email, role, jti, iat, exp, iss, aud }
}
