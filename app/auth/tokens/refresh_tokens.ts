import { randomUUID } from 'node:crypto'
import { validate as isUuid } from 'uuid'
import tokens from '#config/tokens'
import { issuer } from '#config/app'
import { hashToken } from './hash_token.ts'
import { Jwt } from './jwt.ts'
import type { TokenSubject } from './access_tokens.ts'

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
  /** The session limits the lifetime: only the token whose hash a session holds is exchanged. */
  isBoundToTtl: false,
  hasValidClaims: ({ sessionId, email, role }) =>
    isUuid(sessionId) && typeof email === 'string' && typeof role === 'string',
})

export interface IssuedRefreshToken {
  refreshToken: string
  refreshHash: string
}

export function issueRefreshToken(user: TokenSubject, sessionId: string): IssuedRefreshToken {
  return issue(user, { sessionId, jti: randomUUID() })
}

/** Derives the `jti`: a repeated exchange gives the same successor, without a stored token. */
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

/** Hashes only the random `jti`: the e-mail may change before a lost response is repeated. */
export function hashRefreshId(jti: string) {
  return hashToken(`refresh:${jti}`)
}

export function verifyRefreshToken(token: string) {
  return jwt.verify(token)
}

export function readRefreshToken(token: string) {
  return jwt.verifySignature(token)
}
