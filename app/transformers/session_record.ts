import type { SessionRecord } from '#auth/store/contract'

/** An explicit list of fields: the hash of the refresh token stays private. */
export function sessionRecord(session: SessionRecord, callerSessionId?: string) {
  return {
    id: session.id,
    deviceId: session.deviceId,
    deviceName: session.deviceName,
    ip: session.ip,
    userAgent: session.userAgent,
    method: session.method,
    amr: session.amr,
    authenticatedAt: session.authenticatedAt
      ? new Date(session.authenticatedAt).toISOString()
      : null,
    createdAt: new Date(session.createdAt).toISOString(),
    lastActivity: new Date(session.lastActivityAt).toISOString(),
    expiresAt: new Date(session.expiresAt).toISOString(),
    current: session.id === callerSessionId,
  }
}
