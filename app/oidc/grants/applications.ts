import db from '@adonisjs/lucid/services/db'
import { listSessions } from '#auth/sessions/sessions'
import { findConsents } from '#oidc/consents/consents'
import { hostOf } from '#oidc/clients/redirect_uris'
import { isMetadataUrl } from '#oidc/clients/metadata_url'

export interface Application {
  clientId: string
  name: string
  /** Empty for applications of the installation itself. */
  scopes: string[]
  resources: string[]
  /** In milliseconds since the epoch; null without a consent. */
  consentedAt: number | null
  sessions: number
}

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

/** Registered clients by their name, others by the host of their document. */
export async function clientNames(clientIds: string[]) {
  const rows = await db.from('oauth_clients').whereIn('client_id', clientIds)
  const registered = rows.map((row): [string, string] => [row.client_id, row.name])
  const documents = clientIds.filter(isMetadataUrl)
  return new Map([...registered, ...documents.map((id): [string, string] => [id, hostOf(id)])])
}

async function countSessions(userId: string) {
  const counts = new Map<string, number>()
  for (const { clientId } of await listSessions(userId)) {
    if (clientId !== null) counts.set(clientId, (counts.get(clientId) ?? 0) + 1)
  }
  return counts
}

export async function exportApplications(userId: string) {
  const applications = await listApplications(userId)
  return applications.map(({ sessions, consentedAt, ...application }) => ({
    ...application,
    consentedAt: consentedAt === null ? null : new Date(consentedAt).toISOString(),
  }))
}
