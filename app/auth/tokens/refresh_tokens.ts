import { randomUUID } from 'node:crypto'
import { validate as isUuid } from 'uuid'
import tokens from '#config/tokens'
import { issuer } from '#config/app'
import { hashToken } from './hash_token.ts'
import { Jwt } from './jwt.ts'
import type { TokenSubject } from './access_tokens.ts'

/** The private claims of a refresh token; `sub` is the user's id. */
export interface RefreshClaims {
  email: string
  role: string
  sessionId: string
}

const jwt = new Jwt<RefreshClaims>({
  type: 'rt+jwt',
  secrets: tokens.refreshSecrets,
  ttlMs: tokens.refreshTtlMs,
  issuer,
  /** The session bounds it: only the token whose hash a session holds is exchanged. */
  isBoundToTtl: false,
  hasValidClaims: ({ sessionId, email, role }) =>
    isUuid(sessionId) && typeof email === 'string' && typeof role === 'string',
})

/** A refresh token, and the hash by which its session knows it. */
export interface IssuedRefreshToken {
  refreshToken: string
  refreshHash: string
}

export function issueRefreshToken(user: TokenSubject, sessionId: string): IssuedRefreshToken {
  return issue(user, { sessionId, jti: randomUUID() })
}

/**
 * Issues the successor of a refresh token for the user as they are now. Its `jti` follows from
 * that of the token, so that each repeated exchange yields the same successor although no token
 * is stored in clear: with the e-mail address of that moment, and good for the same session.
 * It expires with the session.
 */
export function issueSuccessor(
  { jti }: { jti: string },
  user: TokenSubject,
  { sessionId, at, expiresAt }: { sessionId: string; at: number; expiresAt: number }
) {
  const next = hashToken(`successor of ${jti}`).slice(0, 22)
  return issue(user, { sessionId, jti: next }, { at, expiresAt })
}

function issue(
  { id: sub, email, role }: TokenSubject,
  { sessionId, jti }: { sessionId: string; jti: string },
  times?: { at: number; expiresAt: number }
): IssuedRefreshToken {
  const refreshToken = jwt.issue({ sub, email, role, sessionId, jti }, times)
  return { refreshToken, refreshHash: hashRefreshId(jti) }
}

/**
 * The hash by which a session knows its refresh token: of the `jti`, which is random. The whole
 * token also has the e-mail address, which may change before a lost answer is repeated.
 */
export function hashRefreshId(jti: string) {
  return hashToken(`refresh:${jti}`)
}

export function verifyRefreshToken(token: string) {
  return jwt.verify(token)
}

/** The claims of a genuine token, expired or not. */
export function readRefreshToken(token: string) {
  return jwt.verifySignature(token)
}
