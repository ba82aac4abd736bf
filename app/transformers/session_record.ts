import type { SessionRecord } from '#auth/store/contract'

/** The session record of the API, with these fields only; the hash of its refresh token is left out. */
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
