import User from '#models/user'
import { SYSTEM } from '#audit/actor'
import { BY_PASSWORD } from '#auth/sessions/authentication'
import { startSession } from '#auth/sessions/sessions'
import { createClient, deleteClient } from '#oidc/clients/clients'
import { readClients } from '#oidc/clients/client_rows'
import type { NewClient } from '#oidc/clients/client_fields'
import { upsertRecord } from '#oidc/records/record_rows'

/* The applications of the demo company, and the last sign-in to each. */

const MINUTE_MS = 60_000

const CLIENTS: [used: number | null, client: NewClient][] = [
  [
    4,
    {
      name: 'Grafana',
      kind: 'first_party',
      redirectUris: ['https://grafana.example.org/login/generic_oauth'],
    },
  ],
  [
    38,
    {
      name: 'GitLab',
      kind: 'first_party',
      redirectUris: ['https://git.example.org/users/auth/openid_connect/callback'],
    },
  ],
  [
    190,
    {
      name: 'Field app',
      kind: 'first_party',
      tokenEndpointAuthMethod: 'none',
      redirectUris: ['org.example.field:/callback', 'https://field.example.org/callback'],
    },
  ],
  [null, { name: 'Travel booking', redirectUris: ['https://sso.travel.example.com/oidc'] }],
]

export async function makeClients() {
  const user = await User.findByOrFail('username', 'Ada Lovelace')
  for (const [used, given] of CLIENTS) {
    const { client } = await createClient(given, SYSTEM)
    if (used !== null) await signIn(user, client.clientId, Date.now() - used * MINUTE_MS)
  }
}

/** Starts a session with a client, which is a grant with the same id. */
async function signIn(user: User, clientId: string, at: number) {
  const device = { id: clientId, ip: '203.0.113.7', userAgent: null }
  const { session } = await startSession(user, { device, ...BY_PASSWORD })
  const payload = JSON.stringify({ accountId: user.id, clientId, iat: Math.floor(at / 1_000) })
  const columns = { grantId: session.id, clientId, userId: user.id, expiresAt: session.expiresAt }
  await upsertRecord({ kind: 'Grant', id: session.id }, { payload, ...columns })
}

/** Deletes the client of the registration picture, so that no later picture shows it. */
export async function forgetRegistered() {
  const clients = await readClients()
  const nextcloud = clients.find(({ name }) => name === 'Nextcloud')
  if (nextcloud) await deleteClient(nextcloud.id, SYSTEM)
}
