import db from '@adonisjs/lucid/services/db'
import { listSessions } from '#auth/sessions/sessions'
import { findConsents } from '#oidc/consents/consents'
import { hostOf } from '#oidc/clients/redirect_uris'
import { isMetadataUrl } from '#oidc/clients/metadata_url'

/** An application that a person allowed something, or is signed in to. */
export interface Application {
  clientId: string
  name: string
  /** What was consented to; empty for applications of the installation itself. */
  scopes: string[]
  /** Other services that it may use for the person. */
  resources: string[]
  /** When, in milliseconds since the epoch; null without a consent. */
  consentedAt: number | null
  /** How many sessions the person has with it. */
  sessions: number
}

/** The applications of a person, by name. */
export async function listApplications(userId: string): Promise<Application[]> {
  const counts = await countSessions(userId)
  const consents = await findConsents(userId)
  const names = await clientNames([...new Set([...counts.keys(), ...consents.keys()])])
  const applications = [...names].map(([clientId, name]) => {
    const { scopes = [], resources = [], consentedAt = null } = consents.get(clientId) ?? {}
    const sessions = counts.get(clientId) ?? 0
    return { clientId, name, scopes, resources, consentedAt, sessions }
  })
  return applications.toSorted((one, other) => one.name.localeCompare(other.name))
}

/** Names by client id: registered clients by their name, others by the host of their document. */
export async function clientNames(clientIds: string[]) {
  const rows = await db.from('oauth_clients').whereIn('client_id', clientIds)
  const registered = rows.map((row): [string, string] => [row.client_id, row.name])
  const documents = clientIds.filter(isMetadataUrl)
  return new Map([...registered, ...documents.map((id): [string, string] => [id, hostOf(id)])])
}

/** The live sessions by their client. */
async function countSessions(userId: string) {
  const counts = new Map<string, number>()
  for (const { clientId } of await listSessions(userId)) {
    if (clientId !== null) counts.set(clientId, (counts.get(clientId) ?? 0) + 1)
  }
  return counts
}

/** For the export of everything that is stored about a person. */
export async function exportApplications(userId: string) {
  const applications = await listApplications(userId)
  return applications.map(({ sessions, consentedAt, ...application }) => ({
    ...application,
    consentedAt: consentedAt === null ? null : new Date(consentedAt).toISOString(),
  }))
}
