import db from '@adonisjs/lucid/services/db'
import { listSessions } from '#auth/sessions/sessions'

/** An application that a person allowed something, or is signed in to. */
export interface Application {
  clientId: string
  name: string
  /** What was consented to; empty for applications of the installation itself. */
  scopes: string[]
  /** When, in milliseconds since the epoch; null without a consent. */
  consentedAt: number | null
  /** How many sessions the person has with it. */
  sessions: number
}

/** The applications of a person, by name. */
export async function listApplications(userId: string): Promise<Application[]> {
  const counts = await countSessions(userId)
  const rows = await db
    .from('oauth_clients as client')
    .leftJoin('oauth_consents as consent', (join) =>
      join.on('consent.client_id', '=', 'client.client_id').andOnVal('consent.user_id', '=', userId)
    )
    .where((query) =>
      query.whereNotNull('consent.id').orWhereIn('client.client_id', [...counts.keys()])
    )
    .orderBy('client.name')
    .orderBy('client.id')
    .select('client.client_id', 'client.name', 'consent.scopes', 'consent.updated_at')
  return rows.map((row) => ({
    clientId: row.client_id,
    name: row.name,
    scopes: JSON.parse(row.scopes ?? '[]'),
    consentedAt: row.updated_at === null ? null : Number(row.updated_at),
    sessions: counts.get(row.client_id) ?? 0,
  }))
}

/** The live sessions by their client. */
async function countSessions(userId: string) {
  const counts = new Map<string, number>()
  for (const { clientId } of await listSessions(userId)) {
    if (clientId !== null) counts.set(clientId, (counts.get(clientId) ?? 0) + 1)
  }
  return counts
}
