import { randomUUID } from 'node:crypto'
import { validate as isUuid } from 'uuid'
import tokens from '#config/tokens'
import { issuer } from '#config/app'
import { Jwt } from './jwt.ts'

/** The private claims of an access token; `sub` is the user's id. */
export interface AccessClaims {
  email: string
  role: string
}

/** The user that a token is issued for. */
export interface TokenSubject {
  id: string
  email: string
  role: string
}

const jwt = new Jwt<AccessClaims>({
  type: 'at+jwt',
  secrets: tokens.accessSecrets,
  ttlMs: tokens.accessTtlMs,
  issuer,
  isBoundToTtl: true,
  hasValidClaims: ({ jti, email, role }) =>
    isUuid(sessionOf({ jti })) && typeof email === 'string' && typeof role === 'string',
})

/** Seconds that an access token lives. */
export const accessTokenTtl = jwt.ttlSeconds

/**
 * Issues an access token of a session. Its `jti` is `<sessionId>.<random>`, so that the
 * token names its session without a further claim and is refused once the session ends.
 */
export function issueAccessToken({ id, email, role }: TokenSubject, sessionId: string) {
  const jti = `${sessionId}.${randomUUID()}`
  return jwt.issue({ sub: id, email, role, jti })
}

export function verifyAccessToken(token: string) {
  return jwt.verify(token)
}

/** The claims of a genuine token, expired or not. */
export function readAccessToken(token: string) {
  return jwt.verifySignature(token)
}

/** The session that an access token belongs to. */
export function sessionOf(claims: { jti: string }) {
  return claims.jti.slice(0, claims.jti.indexOf('.'))
}
