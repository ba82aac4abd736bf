import { createDecoder } from 'fast-jwt'
import store from '#auth/store/service'
import User from '#models/user'
import { invalidKeyReason } from '#auth/signing_keys/key_records'
import { readAccessToken, sessionOf, verifyAccessToken } from './access_tokens.ts'
import { hasCurrentClaims } from './current_claims.ts'
import { hashRefreshId, readRefreshToken, verifyRefreshToken } from './refresh_tokens.ts'
import type { StandardClaims } from '#auth/signing_keys/claims'

export interface Inspection {
  isAccepted: boolean
  reason: string
  kind?: 'access' | 'refresh'
  header?: Record<string, unknown>
  claims?: Record<string, unknown>
}

const decode = createDecoder({ complete: true })

const GOOD = {
  access: 'It is good.',
  refresh: 'It is good for POST /auth/refresh; as a Bearer token it is refused.',
}

/** Takes the status from the store, which decides requests, and looks up the reason separately. */
export async function inspectToken(token: string): Promise<Inspection> {
  const decoded = decodeOrNull(token)
  if (!decoded) return { isAccepted: false, reason: 'This is no JSON Web Token.' }
  const { header, payload: claims } = decoded
  const kind = header.typ === 'rt+jwt' ? 'refresh' : 'access'
  const reason = (await invalidKeyReason(header)) ?? (await findInvalidReason(token, kind))
  return { isAccepted: reason === null, reason: reason ?? GOOD[kind], kind, header, claims }
}

function decodeOrNull(token: string) {
  try {
    return decode(token)
  } catch {
    return null
  }
}

async function findInvalidReason(token: string, kind: 'access' | 'refresh') {
  const claims = kind === 'access' ? await readAccessToken(token) : readRefreshToken(token)
  if (!claims)
    return 'Its signature or type is not ours: another installation, or a secret that was dropped.'
  if (claims.exp * 1_000 <= Date.now())
    return `It expired at ${new Date(claims.exp * 1_000).toISOString()}.`
  const isCurrent = kind === 'access' ? await verifyAccessToken(token) : verifyRefreshToken(token)
  if (!isCurrent) return 'It was issued in the future, or lives longer than ACCESS_TOKEN_TTL.'
  const user = await User.find(claims.sub)
  if (!user) return 'Its account was deleted.'
  if (user.isDisabled) return 'Its account is disabled.'
  const sessionId = 'sessionId' in claims ? String(claims.sessionId) : sessionOf(claims)
  return invalidSessionReason({ kind, claims, sessionId })
}

interface GenuineToken {
  kind: 'access' | 'refresh'
  claims: StandardClaims
  sessionId: string
}

async function invalidSessionReason({ kind, claims, sessionId }: GenuineToken) {
  const { sub: userId, jti: tokenId } = claims
  const now = Date.now()
  const session = await store.findSession(userId, sessionId, now)
  if (!session) return 'Its session has ended.'
  const tokenStatus = await store.tokenStatus({ userId, sessionId, tokenId }, now)
  if (!tokenStatus.isActive) return 'It was revoked, or its session ended before Redis lost data.'
  if (kind === 'access' && !(await hasCurrentClaims(claims, tokenStatus.userVersion)))
    return 'What TOKEN_CLAIMS reads of its user has changed: a refresh gives the next one.'
  const isCurrent = kind === 'access' || session.refreshHash === hashRefreshId(tokenId)
  return isCurrent ? null : 'It was replaced by a newer refresh token of its session.'
}
