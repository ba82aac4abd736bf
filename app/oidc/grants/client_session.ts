import { randomBytes, randomUUID } from 'node:crypto'
import tokens from '#config/tokens'
import { hashToken } from '#auth/tokens/hash_token'
import type { SessionRecord } from '#auth/store/contract'

type GrantColumn =
  'userId' | 'deviceName' | 'ip' | 'userAgent' | 'method' | 'amr' | 'authenticatedAt'

/** The hash belongs to no token: the provider keeps the refresh tokens of clients. */
export function newClientSession(
  given: Pick<SessionRecord, GrantColumn> & { clientId: string },
  ttlMs = tokens.refreshTtlMs
): SessionRecord {
  const now = Date.now()
  const refreshHash = hashToken(randomBytes(32).toString('base64url'))
  const refresh = { refreshHash, previousRefreshHash: null, rotatedAt: null }
  const times = { createdAt: now, lastActivityAt: now, expiresAt: now + ttlMs }
  return { id: randomUUID(), deviceId: 'default', ...given, ...refresh, ...times }
}
