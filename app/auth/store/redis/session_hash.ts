import type { EndedSession, SessionRecord } from '../contract.ts'

/** Leaves out null fields. */
export function toFields(session: SessionRecord): string[] {
  return Object.entries({ ...session, amr: toText(session.amr) })
    .filter(([, value]) => value !== null)
    .flatMap(([field, value]) => [field, String(value)])
}

export function toText(amr: string[]) {
  return amr.join(' ')
}

export function fromFields(fields: string[]): SessionRecord | null {
  if (fields.length === 0) return null
  const hash: Record<string, string> = {}
  for (let at = 0; at < fields.length; at += 2) hash[fields[at]] = fields[at + 1]
  return {
    id: hash.id,
    userId: hash.userId,
    clientId: hash.clientId ?? null,
    deviceId: hash.deviceId,
    deviceName: hash.deviceName,
    ip: hash.ip,
    userAgent: hash.userAgent ?? null,
    refreshHash: hash.refreshHash,
    previousRefreshHash: hash.previousRefreshHash ?? null,
    rotatedAt: hash.rotatedAt ? Number(hash.rotatedAt) : null,
    method: hash.method,
    amr: hash.amr ? hash.amr.split(' ') : [],
    authenticatedAt: Number(hash.authenticatedAt),
    createdAt: Number(hash.createdAt),
    lastActivityAt: Number(hash.lastActivityAt),
    expiresAt: Number(hash.expiresAt),
  }
}

/** The reply lists id, expiry and client of each session. */
export function toEnded(reply: string[]): EndedSession[] {
  const ended: EndedSession[] = []
  for (let at = 0; at < reply.length; at += 3) {
    const [id, expiresAt, clientId] = reply.slice(at, at + 3)
    ended.push({ id, clientId: clientId || null, expiresAt: Number(expiresAt) })
  }
  return ended
}
