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

export function issueRefreshToken({ id, email, role }: TokenSubject, sessionId: string) {
  return jwt.issue({ sub: id, email, role, sessionId, jti: randomUUID() })
}

/**
 * Issues the successor of a refresh token. It is the same for the same token and time, so
 * that a repeated exchange gets the same answer although no token is stored in clear. It
 * expires with its session.
 */
export function issueSuccessor(
  token: string,
  { id: sessionId, expiresAt }: { id: string; expiresAt: number },
  at: number
) {
  const { sub, email, role } = jwt.verify(token)!
  const jti = hashToken(`successor of ${token}`).slice(0, 22)
  return jwt.issue({ sub, email, role, sessionId, jti }, { at, expiresAt })
}

export function verifyRefreshToken(token: string) {
  return jwt.verify(token)
}

/** The claims of a genuine token, expired or not. */
export function readRefreshToken(token: string) {
  return jwt.verifySignature(token)
}
