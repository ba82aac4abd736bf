import { randomUUID } from 'node:crypto'
import { SYSTEM } from '#audit/actor'
import { createGroup } from '#groups/groups'
import { applyToUsers } from '#users/bulk_actions'
import { createUser } from '#tests/support/fixtures'
import { removeWebhooks, withoutMails } from '#tests/support/webhook_endpoints'
import { managedAccount, managedClient, managedGroup, managedWebhook } from './managed_records.ts'
import { send, type Change } from './change_requests.ts'

/* Each way of changing what a configuration file manages. */

const someName = () => `Other ${randomUUID()}`

const onGroup =
  (change: (id: string) => Change): Change =>
  async (prover) => {
    const { id } = await managedGroup()
    return change(id)(prover)
  }

type ManagedClient = Awaited<ReturnType<typeof managedClient>>

const onClient =
  (change: (made: ManagedClient) => Change): Change =>
  async (prover) =>
    change(await managedClient())(prover)

/** All tests together share the limit of webhooks. */
const onWebhook =
  (change: (id: string) => Change): Change =>
  async (prover) => {
    await removeWebhooks()
    const { id } = await managedWebhook()
    return withoutMails(() => change(id)(prover))
  }

type ManagedAccount = Awaited<ReturnType<typeof managedAccount>>

const onAccount =
  (change: (made: ManagedAccount) => Change): Change =>
  async (prover) =>
    change(await managedAccount())(prover)

/** Changes that are refused with 409 `E_MANAGED`. */
export const MANAGED_CHANGES: Record<string, Change> = {
  'the name of a group': onGroup((id) => send('put', `/groups/${id}`, { name: someName() })),
  'the title of a group': onGroup((id) => send('put', `/groups/${id}`, { title: 'Other' })),
  'a deletion of a group': onGroup((id) => send('delete', `/groups/${id}`)),
  'a scope of a client': onClient(({ client }) =>
    send('put', `/oauth-clients/${client.id}`, { scopes: ['openid'] })
  ),
  'the name of a client': onClient(({ client }) =>
    send('put', `/oauth-clients/${client.id}`, { name: someName() })
  ),
  'the groups of a client': onClient(({ client }) =>
    send('put', `/oauth-clients/${client.id}`, { allowedGroups: [] })
  ),
  'the secret of a client': onClient(({ client }) =>
    send('post', `/oauth-clients/${client.id}/rotate-secret`)
  ),
  'a deletion of a client': onClient(({ client }) => send('delete', `/oauth-clients/${client.id}`)),
  'a deletion of a group of a client': onClient(({ group }) =>
    send('delete', `/groups/${group.id}`)
  ),
  'the name of a group of a client': onClient(({ group }) =>
    send('put', `/groups/${group.id}`, { name: someName() })
  ),
  'the name of the account of a client': onClient(({ account }) =>
    send('put', `/users/${account.id}`, { username: someName() })
  ),
  'a deletion of the account of a client': onClient(({ account }) =>
    send('delete', `/users/${account.id}`)
  ),
  'the address of a webhook': onWebhook((id) =>
    send('put', `/webhooks/${id}`, { url: 'https://other.example.org/' })
  ),
  'the events of a webhook': onWebhook((id) => send('put', `/webhooks/${id}`, { events: ['*'] })),
  'the secret of a webhook': onWebhook((id) => send('post', `/webhooks/${id}/rotate-secret`)),
  'a deletion of a webhook': onWebhook((id) => send('delete', `/webhooks/${id}`)),
  'the name of an account': onAccount(({ account }) =>
    send('put', `/users/${account.id}`, { username: someName() })
  ),
  'the role of an account': onAccount(({ account }) =>
    send('put', `/users/${account.id}`, { role: 'Admin' })
  ),
  'the groups of an account': onAccount(({ account }) =>
    send('put', `/users/${account.id}/groups`, { groups: [] })
  ),
  'an account out of a group': onAccount(({ account, group }) =>
    send('delete', `/groups/${group.id}/members/${account.id}`)
  ),
  'a deletion of a group of an account': onAccount(({ group }) =>
    send('delete', `/groups/${group.id}`)
  ),
  'a deletion of an account': onAccount(({ account }) => send('delete', `/users/${account.id}`)),
}

/** Changes that a file never prevents. */
export const FREE_CHANGES: Record<string, Change> = {
  'a field of a client that no file names': onClient(({ client }) =>
    send('put', `/oauth-clients/${client.id}`, { homeUrl: 'https://app.example.org' })
  ),
  'a record of a client that is sent back': onClient(
    ({ client: { id, clientId, name, scopes, allowedGroups } }) =>
      send('put', `/oauth-clients/${id}`, { clientId, name, scopes, allowedGroups })
  ),
  'a member of a group': onGroup((id) => async (prover) => {
    const { id: userId } = await createUser({ password: null })
    return send('put', `/groups/${id}/members/${userId}`)(prover)
  }),
  'a member of a group of a client': onClient(({ group }) => async (prover) => {
    const { id: userId } = await createUser({ password: null })
    return send('put', `/groups/${group.id}/members/${userId}`)(prover)
  }),
  'disabling a webhook': onWebhook((id) => send('put', `/webhooks/${id}`, { enabled: false })),
  'disabling an account': onAccount(({ account }) =>
    send('put', `/users/${account.id}`, { disabled: true })
  ),
  'ending the sessions of an account': onAccount(({ account }) =>
    send('delete', `/users/${account.id}/sessions`)
  ),
  'the nickname of an account': onAccount(({ account }) =>
    send('put', `/users/${account.id}`, { nickname: 'Robot' })
  ),
}

/** Returns the codes with which bulk actions on accounts are refused. */
export async function refusalsOfBulkActions() {
  const [one, other] = [await managedAccount(), await managedAccount()]
  const group = await createGroup({ name: someName() }, SYSTEM)
  const deleting = { action: 'delete', options: {}, actor: SYSTEM } as const
  const adding = { action: 'add-to-group', options: { group: group.id }, actor: SYSTEM } as const
  const results = [
    await applyToUsers([one.account.id], deleting),
    await applyToUsers([other.account.id], adding),
  ]
  return results.flatMap(({ refused }) => refused.map(({ refusal }) => refusal?.code))
}
