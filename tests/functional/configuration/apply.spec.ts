import { test } from '@japa/runner'
import User from '#models/user'
import { SYSTEM } from '#audit/actor'
import { findManaged } from '#configuration/managed'
import { createGroup, updateGroup } from '#groups/groups'
import { findGroupByName } from '#groups/group_rows'
import { groupNamesOf } from '#groups/names_of'
import { findClient } from '#oidc/clients/client_rows'
import { updateClient } from '#oidc/clients/clients'
import { isSecretOf } from '#oidc/clients/secrets'
import { recordsWhere } from '#tests/support/trail'
import { apply, someNames } from '#tests/support/configuration'

const SECRET = 'aB3dE5fG7hJ9kL1mN3pQ5rS7tU9vW1xY'

type Names = ReturnType<typeof someNames>

const everything = ({ group, client, account }: Names) => `
groups:
  - name: ${group}
    title: Staff
clients:
  - clientId: ${client}
    name: Grafana
    kind: first_party
    redirectUris: [https://grafana.example.org/login/generic_oauth]
    grantTypes: [authorization_code, refresh_token, client_credentials]
    access: groups
    allowedGroups: [${group.toUpperCase()}]
    serviceAccount: ${account}
    secretFrom: env:GRAFANA_SECRET
serviceAccounts:
  - username: ${account}
    role: Admin
    groups: [${group}]
`

const accountOf = (username: string) => User.findByOrFail('username', username)

test.group('Configuration files | apply', (group) => {
  group.setup(() => {
    process.env.GRAFANA_SECRET = SECRET
    return () => {
      delete process.env.GRAFANA_SECRET
    }
  })

  test('a file makes all that it names', async ({ assert }) => {
    const names = someNames()
    const { changes, managed } = await apply(everything(names), { name: names.file })
    assert.equal(managed, 3)
    assert.sameMembers(
      changes.map(({ action, kind, name }) => `${action} ${kind} ${name}`),
      [
        `create group ${names.group}`,
        `create client ${names.client}`,
        `create service_account ${names.account}`,
      ]
    )
    const [client, account] = [await findClient(names.client), await accountOf(names.account)]
    assert.isTrue(isSecretOf(client!, SECRET))
    assert.deepEqual(client!.allowedGroups, [names.group])
    assert.equal(client!.serviceAccountId, account.id)
    assert.equal(account.role, 'Admin')
    assert.deepEqual(await groupNamesOf(account), [names.group])
  })

  test('a second time changes and records nothing', async ({ assert }) => {
    const names = someNames()
    await apply(everything(names), { name: names.file })
    const client = await findClient(names.client)
    const second = await apply(everything(names), { name: names.file })
    assert.deepEqual(second, { changes: [], managed: 3, released: 0 })
    assert.deepEqual(await findClient(names.client), client)
    const events = await recordsWhere({ action: 'configuration.applied' })
    assert.lengthOf(
      events.filter(({ details }) => JSON.stringify(details).includes(names.file)),
      1
    )
  })

  test('a check tells what would change and changes nothing', async ({ assert }) => {
    const names = someNames()
    const { changes } = await apply(everything(names), { name: names.file, isCheck: true })
    assert.lengthOf(changes, 3)
    assert.isNull(await findClient(names.client))
    assert.isNull(await findGroupByName(names.group))
  })

  test('only what differs changes', async ({ assert }) => {
    const names = someNames()
    await apply(everything(names), { name: names.file })
    const text = everything(names).replace('title: Staff', 'title: People').replace('Admin', 'User')
    const { changes } = await apply(text, { name: names.file })
    assert.deepEqual(
      changes.map(({ action, fields }) => [action, fields]),
      [
        ['change', ['title']],
        ['change', ['role']],
      ]
    )
    assert.equal((await findGroupByName(names.group))!.title, 'People')
  })

  test('another value of the secret rotates it', async ({ assert, cleanup }) => {
    const names = someNames()
    await apply(everything(names), { name: names.file })
    const other = SECRET.toLowerCase() + SECRET
    process.env.GRAFANA_SECRET = other
    cleanup(() => {
      process.env.GRAFANA_SECRET = SECRET
    })
    const { changes } = await apply(everything(names), { name: names.file })
    assert.deepEqual(
      changes.map(({ fields }) => fields),
      [['clientSecret']]
    )
    const client = await findClient(names.client)
    assert.isTrue(isSecretOf(client!, other))
    assert.isTrue(isSecretOf(client!, SECRET), 'the previous one works for a day')
  })
})

test.group('Configuration files | ownership', () => {
  test('a file takes over what has its name', async ({ assert }) => {
    const { file, group } = someNames()
    const { id } = await createGroup({ name: group, title: 'Before' }, SYSTEM)
    const text = `groups: [{ name: ${group}, title: After }]`
    const { changes } = await apply(text, { name: file })
    assert.deepEqual(
      changes.map(({ action }) => action),
      ['change']
    )
    assert.deepEqual(await findManaged({ kind: 'group', id }), { file, fields: ['name', 'title'] })
    await assert.rejects(() => updateGroup(id, { title: 'Other' }, SYSTEM), /The file .* manages/)
    await updateGroup(id, { description: 'Not named' }, SYSTEM)
  })

  test('what the file no longer names is writable again', async ({ assert }) => {
    const { file, client } = someNames()
    const named = `clients:\n  - clientId: ${client}\n    redirectUris: [https://a.example.org]\n`
    await apply(named, { name: file })
    const { id } = (await findClient(client))!
    const change = () => updateClient(id, { redirectUris: ['https://b.example.org'] }, SYSTEM)
    await assert.rejects(change, /manages this/)
    const { released } = await apply('{}', { name: file })
    assert.equal(released, 1)
    await change()
  })

  test('a field that the file no longer names is writable again', async ({ assert }) => {
    const { file, group } = someNames()
    await apply(`groups: [{ name: ${group}, title: One }]`, { name: file })
    const { id } = (await findGroupByName(group))!
    await apply(`groups: [{ name: ${group} }]`, { name: file })
    const { title } = await updateGroup(id, { title: 'Two' }, SYSTEM)
    assert.equal(title, 'Two')
  })

  test('another file lets go nothing', async ({ assert }) => {
    const { file, group } = someNames()
    await apply(`groups: [{ name: ${group} }]`, { name: file })
    const { released } = await apply('{}')
    assert.equal(released, 0)
  })
})
