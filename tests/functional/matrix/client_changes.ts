import { SYSTEM } from '#audit/actor'
import { createClient } from '#oidc/clients/clients'
import { addServiceAccount } from '#users/service_accounts'
import { send, type Change } from './change_requests.ts'

/* Changes of the applications that people sign in to, as requests to the API. */

export const NEW_CLIENT = { name: 'Grafana', redirectUris: ['https://grafana.example.org/cb'] }

/** What makes a client act for a service account. */
async function serviceSettings() {
  const { id: serviceAccountId } = await addServiceAccount({ username: 'Robot' }, SYSTEM)
  return { serviceAccountId, grantTypes: ['client_credentials' as const] }
}

function onClient(change: (id: string) => Change): Change {
  return async (prover) => {
    const { client } = await createClient(NEW_CLIENT, SYSTEM)
    return change(client.id)(prover)
  }
}

const newServiceClient: Change = async (prover) =>
  send('post', '/oauth-clients', { name: 'Reports', ...(await serviceSettings()) })(prover)

const addServiceToClient = onClient(
  (id) => async (prover) =>
    send('put', `/oauth-clients/${id}`, { ...NEW_CLIENT, ...(await serviceSettings()) })(prover)
)

export const CLIENT_CHANGES = {
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
