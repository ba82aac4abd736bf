import { VersionedCache } from '#database/configuration_version'
import type { SessionRecord } from '#auth/store/contract'
import type { RecordedEvent } from '#events/record'

interface Owner {
  userId: string
  clientId: string | null
}

const sessions = new VersionedCache<SessionRecord>({ max: 1_000 })

function keyOf({ userId, clientId }: Owner) {
  return `${userId} ${clientId}`
}

/** The session may have ended. @param until in milliseconds: the session must expire later */
export function findServiceSession(owner: Owner, until: number) {
  const isLongEnough = ({ expiresAt }: SessionRecord) => expiresAt > until
  return sessions.find(keyOf(owner), async () => null, isLongEnough)
}

export async function rememberServiceSession(session: SessionRecord) {
  forgetServiceSession(session)
  await sessions.find(keyOf(session), async () => session)
}

export function forgetServiceSession(owner: Owner) {
  sessions.forget(keyOf(owner))
}

/** Forgets sessions that this process ends: the next token request need not check them. */
export function forgetEnded({ user, context }: RecordedEvent<'client_sessions.ended'>) {
  for (const { clientId } of context.sessions) forgetServiceSession({ userId: user.id, clientId })
}
