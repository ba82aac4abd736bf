import db from '@adonisjs/lucid/services/db'
import { listSessions } from '#auth/sessions/sessions'
import { findConsentedServices, findConsents } from '#oidc/consents/consents'
import { hostOf } from '#oidc/clients/redirect_uris'
import { isMetadataUrl } from '#oidc/clients/metadata_url'

export interface Application {
  clientId: string
  name: string
  homeUrl: string | null
  /** A path of this server. */
  logo: string | null
  /** Empty for applications of the installation itself. */
  scopes: string[]
  /** In milliseconds since the epoch; null without a consent. */
  consentedAt: number | null
  sessions: number
}

export async function listApplications(userId: string): Promise<Application[]> {
  const counts = await countSessions(userId)
  const consents = await findConsents(userId)
  const shown = await describeClients([...new Set([...counts.keys(), ...consents.keys()])])
  const applications = [...shown].map(([clientId, shownAs]) => {
    const { scopes = [], consentedAt = null } = consents.get(clientId) ?? {}
    const sessions = counts.get(clientId) ?? 0
    return { clientId, ...shownAs, scopes, consentedAt, sessions }
  })
  return applications.toSorted((one, other) => one.name.localeCompare(other.name))
}

type Shown = Pick<Application, 'name' | 'homeUrl' | 'logo'>

/** Shows registered clients by their name, and others by the host of their document. */
async function describeClients(clientIds: string[]) {
  const rows = await db.from('oauth_clients').whereIn('client_id', clientIds)
  const registered = rows.map(({ client_id: id, name, home_url: homeUrl, logo }) => {
    return [id, { name, homeUrl, logo }] as [string, Shown]
  })
  const documents = clientIds.filter(isMetadataUrl).map((id): [string, Shown] => {
    return [id, { name: hostOf(id), homeUrl: null, logo: null }]
  })
  return new Map([...registered, ...documents])
}

export async function clientNames(clientIds: string[]) {
  const shown = await describeClients(clientIds)
  return new Map([...shown].map(([id, { name }]) => [id, name]))
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
  const services = await findConsentedServices(userId)
  return applications.map(({ clientId, name, scopes, consentedAt }) => ({
    clientId,
    name,
    scopes,
    resources: services.get(clientId) ?? [],
    consentedAt: consentedAt === null ? null : new Date(consentedAt).toISOString(),
  }))
}
