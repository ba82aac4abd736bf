import { test } from '@japa/runner'
import User from '#models/user'
import { SYSTEM } from '#audit/actor'
import { findGroupByName } from '#groups/group_rows'
import { findClient } from '#oidc/clients/client_rows'
import { addServiceAccount } from '#users/service_accounts'
import { apply, someNames } from '#tests/support/configuration'

test.group('Configuration files | prune', () => {
  test('only what the source made and no file names is removed', async ({ assert }) => {
    const { file, source, group, client, account } = someNames()
    const own = await addServiceAccount({ username: account }, SYSTEM)
    const all = `groups: [{ name: ${group} }]
clients:
  - { clientId: ${client}, redirectUris: [https://a.example.org], access: groups, allowedGroups: [${group}] }
serviceAccounts: [{ username: ${account} }]`
    await apply(source + all, { name: file })
    const left = await apply(source, { name: file })
    assert.equal(left.released, 3)
    assert.isNotNull(await findClient(client))
    const { changes } = await apply(source, { name: file, isPruning: true })
    assert.deepEqual(
      changes.map(({ action, kind }) => [action, kind]),
      [
        ['delete', 'client'],
        ['delete', 'group'],
      ]
    )
    assert.isNull(await findClient(client))
    assert.isNull(await findGroupByName(group))
    assert.isNotNull(await User.find(own.id))
  })

  test('without a source nothing is removed', async ({ assert }) => {
    const { file, group } = someNames()
    await apply(`groups: [{ name: ${group} }]`, { name: file })
    const prune = () => apply('{}', { name: file, isPruning: true })
    await assert.rejects(prune, /--prune needs a source/)
    assert.isNotNull(await findGroupByName(group))
  })

  const groups = (name: string) => `groups: [{ name: ${name} }]\n`
  const accounts = (name: string) => `serviceAccounts: [{ username: ${name} }]\n`

  test('what {need} of the same file needs stays, and a check says so')
    .with([
      { need: 'a client', list: groups, named: 'group', field: 'allowedGroups' },
      { need: 'an account', list: groups, named: 'group', field: 'groups' },
      { need: 'a machine', list: accounts, named: 'account', field: 'serviceAccount' },
    ] as const)
    .run(async ({ assert }, { list, named, field }) => {
      const { file, source, client, ...names } = someNames()
      const needing = {
        allowedGroups: `clients: [{ clientId: ${client}, redirectUris: [https://a.example.org], access: groups, allowedGroups: [${names.group}] }]`,
        groups: `serviceAccounts: [{ username: ${names.account}, groups: [${names.group}] }]`,
        serviceAccount: `clients: [{ clientId: ${client}, grantTypes: [client_credentials], serviceAccount: ${names.account} }]`,
      }[field]
      await apply(source + list(names[named]) + needing, { name: file })
      for (const isCheck of [true, false]) {
        const pruned = () => apply(source + needing, { name: file, isPruning: true, isCheck })
        await assert.rejects(
          pruned,
          new RegExp(`${file}:2:\\d+: \\w+\\.0\\.${field}: This entry needs`)
        )
      }
    })

  test('what another file needs stays, and a check says so', async ({ assert }) => {
    const { file, source, group, client } = someNames()
    const other = `other-${file}`
    await apply(source + groups(group), { name: file })
    await apply(
      `clients: [{ clientId: ${client}, redirectUris: [https://a.example.org], access: groups, allowedGroups: [${group}] }]`,
      { name: other }
    )
    for (const isCheck of [true, false]) {
      const pruned = () => apply(source, { name: file, isPruning: true, isCheck })
      await assert.rejects(
        pruned,
        new RegExp(`^--prune: group ${group}: The file ${other} needs it`)
      )
    }
    assert.isNotNull(await findGroupByName(group))
  })

  test('what a client of the file no longer names goes', async ({ assert }) => {
    const { file, source, group, client } = someNames()
    const of = (access: string) =>
      `clients: [{ clientId: ${client}, redirectUris: [https://a.example.org]${access} }]`
    const named = of(`, access: groups, allowedGroups: [${group}]`)
    await apply(source + groups(group) + named, { name: file })
    const { changes } = await apply(source + of(''), { name: file, isPruning: true })
    assert.deepEqual(
      changes.map(({ action, kind }) => [action, kind]),
      [['delete', 'group']]
    )
    assert.isNull(await findGroupByName(group))
  })
})
