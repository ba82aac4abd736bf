import type { EndedSession, SessionRecord, SessionSelection } from '#auth/store/contract'

export function toRow(session: SessionRecord) {
  return {
    id: session.id,
    user_id: session.userId,
    client_id: session.clientId,
    device_id: session.deviceId,
    device_name: session.deviceName,
    ip: session.ip,
    user_agent: session.userAgent,
    refresh_hash: session.refreshHash,
    previous_refresh_hash: session.previousRefreshHash,
    rotated_at: session.rotatedAt,
    method: session.method,
    amr: session.amr.join(' '),
    authenticated_at: session.authenticatedAt,
    created_at: session.createdAt,
    last_activity_at: session.lastActivityAt,
    expires_at: session.expiresAt,
  }
}

export function fromRow(row: Record<string, any>): SessionRecord {
  return {
    id: row.id,
    userId: row.user_id,
    clientId: row.client_id,
    deviceId: row.device_id,
    deviceName: row.device_name,
    ip: row.ip,
    userAgent: row.user_agent,
    refreshHash: row.refresh_hash,
    previousRefreshHash: row.previous_refresh_hash,
    rotatedAt: row.rotated_at,
    method: row.method,
    amr: row.amr ? row.amr.split(' ') : [],
    authenticatedAt: row.authenticated_at,
    createdAt: row.created_at,
    lastActivityAt: row.last_activity_at,
    expiresAt: row.expires_at,
  }
}

export function toEnded(row: Record<string, any>): EndedSession {
  return { id: row.id, clientId: row.client_id, expiresAt: row.expires_at }
}

/** The column `amr` separates its references by spaces. */
export function provedBy({ method, amr = [] }: SessionSelection) {
  if (!method) return { condition: '', bindings: [] }
  const references = amr.map(() => ` OR ' ' || amr || ' ' LIKE ?`).join('')
  const patterns = amr.map((reference) => `% ${reference} %`)
  return { condition: ` AND (method = ?${references})`, bindings: [method, ...patterns] }
}
