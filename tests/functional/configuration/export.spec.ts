import { randomUUID } from 'node:crypto'
import { test } from '@japa/runner'
import { parse } from 'yaml'
import db from '@adonisjs/lucid/services/db'
import ConfigExport from '#commands/config_export'
import { SYSTEM } from '#audit/actor'
import { applyConfiguration } from '#configuration/apply/apply'
import {
  exportConfiguration,
  type ExportedEntry,
  type ExportedLists,
} from '#configuration/export/export'
import { toYaml } from '#configuration/export/write_yaml'
import { createGroup } from '#groups/groups'
import { setGroupsOf } from '#groups/members'
import { createClient } from '#oidc/clients/clients'
import { addServiceAccount } from '#users/service_accounts'
import { configurationFile } from '#tests/support/configuration'
import { runCommand } from '#tests/support/commands'

const REDIRECTS = { redirectUris: ['https://app.example.org/cb'] }

/** Values that YAML would read as something else, and settings that differ from the defaults. */
async function someRecords() {
  const name = `yes: #no ${randomUUID()}`
  const group = await createGroup(
    { name: name.replace(':', ''), title: 'null', description: '# "x"\n- y' },
    SYSTEM
  )
  const account = await addServiceAccount(
    { username: `1e3 ${randomUUID()}`, role: 'Admin' },
    SYSTEM
  )
  await setGroupsOf(account.id, [group.name], SYSTEM)
  const { client } = await createClient(
    {
      ...REDIRECTS,
      name,
      clientId: `~${randomUUID()}`,
      kind: 'first_party',
      grantTypes: ['authorization_code', 'client_credentials'],
      serviceAccountId: account.id,
      access: 'groups',
      allowedGroups: [group.name],
      claims: { department: '=true' },
      refreshTokenTtl: '30d',
      requirePkce: true,
    },
    SYSTEM
  )
  const app = await createClient(
    { ...REDIRECTS, name: 'App', tokenEndpointAuthMethod: 'none' },
    SYSTEM
  )
  return { group, account, client, publicClient: app.client }
}

/** Filters out the records of other tests. */
function only(lists: ExportedLists, names: string[]): ExportedLists {
  const isOwn = ({ fields }: ExportedEntry) =>
    names.includes(String(fields.clientId ?? fields.username ?? fields.name))
  return Object.fromEntries(Object.entries(lists).map(([name, all]) => [name, all.filter(isOwn)]))
}

test.group('Configuration files | export', () => {
  test('what is exported is applied without a change', async ({ assert }) => {
    const { client, account, group } = await someRecords()
    const names = [client.clientId, account.username, group.name]
    const text = await toYaml(only(await exportConfiguration(), names))
    const file = await configurationFile(text)
    const { changes, managed } = await applyConfiguration([file], { actor: SYSTEM, isCheck: true })
    assert.deepEqual(changes, [])
    assert.equal(managed, 3)
  })

  test('a copy elsewhere is the same', async ({ assert }) => {
    const { client, account } = await someRecords()
    const lists = await exportConfiguration()
    const own = lists.clients.filter(({ fields }) => fields.clientId === client.clientId)
    const text = await toYaml({ clients: own })
    await db.from('oauth_clients').where('id', client.id).delete()
    const file = await configurationFile(text)
    await applyConfiguration([file], { actor: SYSTEM })
    const again = await exportConfiguration()
    const made = again.clients.filter(({ fields }) => fields.clientId === client.clientId)
    assert.deepEqual(made, own)
    assert.equal(made[0].fields.serviceAccount, account.username)
  })

  test('no character is left that a terminal obeys or hides', async ({ assert }) => {
    const hidden = `=1\u009b31m \u202e \u2028 \u{e0041} \u0085 "x" \\U0000 ${'y'.repeat(50)}`
    const claims = { department: hidden, other: `=${hidden}\t` }
    const fields = { ...REDIRECTS, name: `👩‍💻 ${randomUUID()}`, clientId: randomUUID(), claims }
    const comment = `not taken: ${hidden}`
    const entries = [
      { fields, comment },
      { fields, isLeftOut: true },
    ]
    const text = await toYaml({ clients: entries })
    assert.notMatch(text, /(?!\n)[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u)
    assert.deepEqual(parse(text).clients, [fields])
  })

  test('secrets are comments, and only where there is one', async ({ assert }) => {
    const { client, publicClient } = await someRecords()
    const lists = await exportConfiguration()
    const commentOf = (id: string) =>
      lists.clients.find(({ fields }) => fields.clientId === id)!.comment
    assert.match(commentOf(client.clientId)!, /^secretFrom: env:[A-Z0-9_]+_SECRET/)
    assert.isUndefined(commentOf(publicClient.clientId))
    assert.notInclude(await toYaml(lists), client.secretHash!)
  })

  test('the command prints lists that name no secret', async ({ assert }) => {
    const { client } = await someRecords()
    const { code, printed } = await runCommand(ConfigExport, [])
    assert.equal(code, 0)
    assert.includeMembers(
      printed.clients.map(({ clientId }: { clientId: string }) => clientId),
      [client.clientId]
    )
  })
})
