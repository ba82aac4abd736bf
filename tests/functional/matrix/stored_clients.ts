import { randomUUID } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import * as oidc from 'openid-client'
import { configure, REDIRECT } from '#tests/support/oidc'
import { digestOf } from '#tests/support/secret_digests'
import { clientKey, configureByKey } from '#tests/support/strong_clients'
import { errorOf, useProxy } from '../../process/application.ts'
import { LOST_COMMIT, NO_CLIENTS } from './stored_losses.ts'
import type { Installation } from '../../process/installation.ts'
import type { StoredKind } from './stored_kinds.ts'

/* Clients, tested with a service account for which they act. */

/** Sends every request of `ask` to this installation. */
export async function at<Result>({ product }: Installation, ask: () => Promise<Result>) {
  const restore = useProxy(() => product.url)
  try {
    return await ask()
  } finally {
    restore()
  }
}

interface Registered {
  id: string
  clientId: string
  clientSecret: string
}

/** Registers a client. Its library is configured for each installation, whose keys differ. */
export function registerClient(installation: Installation, body: object): Promise<Registered> {
  const given = { name: 'Grafana', redirectUris: [REDIRECT], ...body }
  return installation.asAdmin('/oauth-clients', { body: given })
}

/** A client that acts for a service account of its own. */
async function robot(installation: Installation) {
  const body = { kind: 'service', username: 'robot', role: 'Admin' }
  const { id } = await installation.asAdmin('/users', { body })
  const settings = { redirectUris: [], scopes: ['users:read'], serviceAccountId: id }
  return registerClient(installation, { ...settings, grantTypes: ['client_credentials'] })
}

function asRobot({ clientId, clientSecret }: Registered, elsewhere: Installation) {
  return at(elsewhere, async () => {
    const config = await configure(clientId, clientSecret)
    return errorOf(oidc.clientCredentialsGrant(config, { scope: 'users:read' }))
  })
}

const clientSecret: StoredKind = {
  kept: 'good',
  imported: { outcome: 'invalid_client', because: NO_CLIENTS },
  async make(installation) {
    const client = await robot(installation)
    return (elsewhere) => asRobot(client, elsewhere)
  },
}

const deletedClient: StoredKind = {
  kept: 'invalid_client',
  unrevoked: { outcome: 'good', because: LOST_COMMIT },
  async make(installation) {
    const client = await robot(installation)
    const path = `/oauth-clients/${client.id}`
    return {
      revoke: () => installation.asAdmin(path, { method: 'DELETE', body: {} }),
      prove: (elsewhere) => asRobot(client, elsewhere),
    }
  },
}

/** A client that authenticates with its own key. */
const clientKeySet: StoredKind = {
  kept: 'good',
  imported: { outcome: 'invalid_client', because: NO_CLIENTS },
  async make(installation) {
    const key = await clientKey()
    const body = { kind: 'service', username: 'signer', role: 'Admin' }
    const { id: serviceAccountId } = await installation.asAdmin('/users', { body })
    const { clientId } = await registerClient(installation, {
      redirectUris: [],
      scopes: ['users:read'],
      serviceAccountId,
      grantTypes: ['client_credentials'],
      tokenEndpointAuthMethod: 'private_key_jwt',
      jwks: { keys: [key.jwk] },
    })
    return (elsewhere) =>
      at(elsewhere, async () => {
        const config = await configureByKey(clientId, key)
        return errorOf(oidc.clientCredentialsGrant(config, { scope: 'users:read' }))
      })
  },
}

/** A configuration of Authelia, whose hash of the secret is stored until the secret is used. */
const configurationOf = (clientId: string, secret: string) => `
identity_providers:
  oidc:
    clients:
      - client_id: ${clientId}
        client_secret: '${digestOf(secret)}'
        authorization_policy: one_factor
        redirect_uris: ['${REDIRECT}']
`

async function importClient(installation: Installation, clientId: string, secret: string) {
  const { dataDir } = installation
  const [file, output] = ['yml', 'yaml'].map((end) => join(dataDir, `${clientId}.${end}`))
  await writeFile(file, configurationOf(clientId, secret))
  await installation.command(['client:import', file, '--from=authelia', `--output=${output}`])
  await installation.command(['config:apply', output])
}

/** Returns whether the secret authenticates the client. */
async function introspectAs(clientId: string, secret: string, { product }: Installation) {
  const authorization = `Basic ${btoa(`${clientId}:${secret}`)}`
  const body = new URLSearchParams({ token: 'none' })
  const request = { method: 'POST', headers: { authorization }, body }
  const response = await fetch(`${product.url}/oauth/introspect`, request)
  const { error = 'good' } = (await response.json()) as { error?: string }
  return error
}

const importedClient: StoredKind = {
  kept: 'good',
  imported: { outcome: 'invalid_client', because: NO_CLIENTS },
  async make(installation) {
    const [clientId, secret] = [`app-${randomUUID()}`, `aB3-${randomUUID()}`]
    await importClient(installation, clientId, secret)
    return (elsewhere) => introspectAs(clientId, secret, elsewhere)
  },
}

export const CLIENTS: Record<string, StoredKind> = {
  'client with a secret and its service account': clientSecret,
  'client with a key set': clientKeySet,
  'client whose secret another product hashed': importedClient,
  'deleted client': deletedClient,
}
