import { randomBytes, randomUUID } from 'node:crypto'
import type { SessionRecord, TokenReference } from '#auth/store/contract'

/** A session that has just started and ends in a week. */
export function someSession(userId: string, given: Partial<SessionRecord> = {}): SessionRecord {
  const now = Date.now()
  return {
    id: randomUUID(),
    userId,
    clientId: null,
    deviceId: 'default',
    deviceName: 'Firefox on Linux',
    ip: '198.51.100.9',
    userAgent: 'Mozilla/5.0',
    refreshHash: randomBytes(32).toString('base64url'),
    previousRefreshHash: null,
    rotatedAt: null,
    method: 'password',
    amr: ['pwd'],
    authenticatedAt: now,
    createdAt: now,
    lastActivityAt: now,
    expiresAt: now + 7 * 24 * 3_600_000,
    ...given,
  }
}

/** A token of the session. Each call returns another token. */
export function reference({ id, userId }: SessionRecord): TokenReference {
  return { userId, sessionId: id, tokenId: `${id}.${randomBytes(12).toString('base64url')}` }
}
