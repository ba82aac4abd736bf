import { randomUUID } from 'node:crypto'
import db from '@adonisjs/lucid/services/db'
import { SYSTEM } from '#audit/actor'
import { writeManagedRecord, type ManagedKind } from '#configuration/managed_rows'
import { createGroup } from '#groups/groups'
import { setGroupsOf } from '#groups/members'
import { createClient } from '#oidc/clients/clients'
import { addServiceAccount } from '#users/service_accounts'
import { newWebhook } from '#tests/support/webhook_endpoints'

/* Records that a file manages, as they are stored when the file is applied. */

export const FILE = 'gatehouse.yaml'

export async function manage(kind: ManagedKind, id: string, fields: string[]) {
  const row = { file: FILE, source: null, madeBy: null, isAtStart: false }
  await db.transaction((trx) => writeManagedRecord({ kind, id, fields, ...row }, trx))
}

export const someName = () => `Managed ${randomUUID()}`

export async function managedGroup(fields = ['name', 'title', 'description']) {
  const group = await createGroup({ name: someName(), title: 'Staff' }, SYSTEM)
  await manage('group', group.id, fields)
  return group
}

/** Makes a client that acts for a service account and is open to one group. */
export async function managedClient(
  fields = ['name', 'scopes', 'allowedGroups', 'serviceAccountId', 'clientSecret']
) {
  const group = await createGroup({ name: someName() }, SYSTEM)
  const account = await addServiceAccount({ username: someName() }, SYSTEM)
  const given = {
    name: someName(),
    grantTypes: ['client_credentials' as const],
    access: 'groups' as const,
    allowedGroups: [group.name],
    serviceAccountId: account.id,
  }
  const { client } = await createClient(given, SYSTEM)
  await manage('client', client.id, fields)
  return { client, group, account }
}

export async function managedWebhook(fields = ['name', 'url', 'events', 'enabled', 'secret']) {
  const webhook = await newWebhook({ events: ['user.*'] })
  await manage('webhook', webhook.id, fields)
  return webhook
}

export async function managedAccount(fields = ['username', 'role', 'groups']) {
  const group = await createGroup({ name: someName() }, SYSTEM)
  const account = await addServiceAccount({ username: someName() }, SYSTEM)
  await setGroupsOf(account.id, [group.name], SYSTEM)
  await manage('service_account', account.id, fields)
  return { account, group }
}
