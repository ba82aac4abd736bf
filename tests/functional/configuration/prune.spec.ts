import { randomUUID } from 'node:crypto'
import { test } from '@japa/runner'
import db from '@adonisjs/lucid/services/db'
import User from '#models/user'
import { SYSTEM } from '#audit/actor'
import { findManagedRecord, writeManagedRecord } from '#configuration/managed_rows'
import { findGroupByName } from '#groups/group_rows'
import { findClient } from '#oidc/clients/client_rows'
import { addServiceAccount } from '#users/service_accounts'
import { apply, someNames } from '#tests/support/configuration'

type Names = ReturnType<typeof someNames>

function findServiceAccount(username: string) {
  return User.query().where({ username, kind: 'service' }).first()
}

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

  test('a check keeps what it has of a record that is gone', async ({ assert }) => {
    const { file, source } = someNames()
    const key = { kind: 'group', id: randomUUID() } as const
    const [, madeBy] = source.trim().split(' ')
    const row = { file: null, source: null, madeBy, fields: [], isAtStart: false }
    await db.transaction((trx) => writeManagedRecord({ ...key, ...row }, trx))
    const prune = (isCheck: boolean) => apply(source, { name: file, isPruning: true, isCheck })
    await prune(true)
    assert.isNotNull(await findManagedRecord(key, db.connection()))
    await prune(false)
    assert.isNull(await findManagedRecord(key, db.connection()))
  })

  test('without a source nothing is removed', async ({ assert }) => {
    const { file, group } = someNames()
    await apply(`groups: [{ name: ${group} }]`, { name: file })
    const prune = () => apply('{}', { name: file, isPruning: true })
    await assert.rejects(prune, /--prune needs a source/)
    assert.isNotNull(await findGroupByName(group))
  })

  const groups = ({ group }: Names) => `groups: [{ name: ${group} }]\n`
  const accounts = ({ account }: Names) => `serviceAccounts: [{ username: ${account} }]\n`
  const clientOf = ({ client, group }: Names) =>
    `clients: [{ clientId: ${client}, redirectUris: [https://a.example.org], access: groups, allowedGroups: [${group}] }]`
  const memberOf = ({ account, group }: Names) =>
    `serviceAccounts: [{ username: ${account}, groups: [${group}] }]`
  const machineOf = ({ client, account }: Names) =>
    `clients: [{ clientId: ${client}, grantTypes: [client_credentials], serviceAccount: ${account} }]`
  const isEntry = (field: string) => (file: string) =>
    new RegExp(`${file}:2:\\d+: \\w+\\.0\\.${field}: This entry needs`)

  test('what {need} needs stays, and a check says so')
    .with([
      { need: 'a client', list: groups, needing: clientOf, says: isEntry('allowedGroups') },
      { need: 'an account', list: groups, needing: memberOf, says: isEntry('groups') },
      { need: 'a machine', list: accounts, needing: machineOf, says: isEntry('serviceAccount') },
      {
        need: 'another file',
        list: groups,
        needing: clientOf,
        isApart: true,
        says: (file: string, { group }: Names) =>
          new RegExp(`^--prune: group ${group}: The file other-${file} needs it`),
      },
    ])
    .run(async ({ assert }, { list, needing, isApart, says }) => {
      const names = someNames()
      const { file, source, group, account } = names
      const own = isApart ? '' : needing(names)
      await apply(source + list(names) + own, { name: file })
      if (isApart) await apply(needing(names), { name: `other-${file}` })
      for (const isCheck of [true, false]) {
        const pruned = () => apply(source + own, { name: file, isPruning: true, isCheck })
        await assert.rejects(pruned, says(file, names))
      }
      const [kept, other] = [await findGroupByName(group), await findServiceAccount(account)]
      assert.isNotNull(list === groups ? kept : other)
    })

  test('what a client of the file no longer names goes', async ({ assert }) => {
    const names = someNames()
    const { file, source, group, client } = names
    const of = (access: string) =>
      `clients: [{ clientId: ${client}, redirectUris: [https://a.example.org]${access} }]`
    const named = of(`, access: groups, allowedGroups: [${group}]`)
    await apply(source + groups(names) + named, { name: file })
    const { changes } = await apply(source + of(''), { name: file, isPruning: true })
    assert.deepEqual(
      changes.map(({ action, kind }) => [action, kind]),
      [['delete', 'group']]
    )
    assert.isNull(await findGroupByName(group))
  })
})
