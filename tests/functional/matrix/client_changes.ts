import { SYSTEM } from '#audit/actor'
import { createClient } from '#oidc/clients/clients'
import type { NewClient } from '#oidc/clients/client_fields'
import { addServiceAccount } from '#users/service_accounts'
import { send, type Change } from './change_requests.ts'

/* Changes of the applications that people sign in to, as requests to the API. */

export const NEW_CLIENT = { name: 'Grafana', redirectUris: ['https://grafana.example.org/cb'] }

/** The settings that make a client act for a service account. */
async function serviceSettings() {
  const { id: serviceAccountId } = await addServiceAccount({ username: 'Robot' }, SYSTEM)
  return { serviceAccountId, grantTypes: ['client_credentials' as const] }
}

function onClient(change: (id: string) => Change, given: Partial<NewClient> = {}): Change {
  return async (prover) => {
    const { client } = await createClient({ ...NEW_CLIENT, ...given }, SYSTEM)
    return change(client.id)(prover)
  }
}

const newServiceClient: Change = async (prover) =>
  send('post', '/oauth-clients', { name: 'Reports', ...(await serviceSettings()) })(prover)

const addServiceToClient = onClient(
  (id) => async (prover) =>
    send('put', `/oauth-clients/${id}`, { ...NEW_CLIENT, ...(await serviceSettings()) })(prover)
)

/** Settings of a client of the installation itself, which asks for no consent. */
const FIRST_PARTY = {
  'the redirect address': { redirectUris: ['https://wiki.example.org/cb'] },
  'the address after a logout': { postLogoutRedirectUris: ['https://wiki.example.org/'] },
  'the receiver of logouts': { backchannelLogoutUri: 'https://wiki.example.org/logout' },
  'the home': { homeUrl: 'https://wiki.example.org/' },
  'the scopes': { scopes: ['openid'] },
  'the grant types': { grantTypes: ['authorization_code'] },
  'a key set': {
    tokenEndpointAuthMethod: 'private_key_jwt',
    jwksUri: 'https://wiki.example.org/jwks.json',
  },
  'PKCE': { requirePkce: true },
  'plain http': { allowHttp: true },
  'unverified addresses': { requireVerifiedEmail: false },
  'pushed requests alone': { requirePar: true },
  'bound tokens alone': { requireDpop: true },
  'the algorithm': { idTokenAlgorithm: 'EdDSA' },
  'fewer claims in ID tokens': { idTokenClaims: false },
  'longer sessions': { refreshTokenTtl: '30d' },
  'sessions without a question': { refreshTokens: 'always' },
}

type FirstPartyChange = `${keyof typeof FIRST_PARTY} of a first-party client`

const SETTINGS_OF_FIRST_PARTY = Object.fromEntries(
  Object.entries(FIRST_PARTY).map(([name, settings]) => [
    `${name} of a first-party client`,
    onClient((id) => send('put', `/oauth-clients/${id}`, settings), { kind: 'first_party' }),
  ])
) as Record<FirstPartyChange, Change>

export const FIRST_PARTY_CHANGES = {
  ...SETTINGS_OF_FIRST_PARTY,
  'another secret of a first-party client': onClient(
    (id) => send('post', `/oauth-clients/${id}/rotate-secret`),
    { kind: 'first_party' }
  ),
  'deleting a first-party client': onClient((id) => send('delete', `/oauth-clients/${id}`), {
    kind: 'first_party',
  }),
}

export const CLIENT_CHANGES = {
  'pushed requests alone for a client': onClient((id) =>
    send('put', `/oauth-clients/${id}`, { requirePar: true })
  ),
  'bound tokens alone for a client': onClient((id) =>
    send('put', `/oauth-clients/${id}`, { requireDpop: true })
  ),
  'a client for a service account': newServiceClient,
  'a service account for a client': addServiceToClient,
  'a new client': send('post', '/oauth-clients', NEW_CLIENT),
  'the name of a client': onClient((id) =>
    send('put', `/oauth-clients/${id}`, { ...NEW_CLIENT, name: 'Wiki' })
  ),
  'another secret of a client': onClient((id) =>
    send('post', `/oauth-clients/${id}/rotate-secret`)
  ),
  'deleting a client': onClient((id) => send('delete', `/oauth-clients/${id}`)),
} satisfies Record<string, Change>
