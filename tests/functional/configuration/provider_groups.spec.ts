import { randomUUID } from 'node:crypto'
import { test } from '@japa/runner'
import db from '@adonisjs/lucid/services/db'
import limits from '#config/limits'
import { findGroupByName } from '#groups/group_rows'
import { findClient } from '#oidc/clients/client_rows'
import { recordsWhere } from '#tests/support/trail'
import { apply } from '#tests/support/configuration'

/** Each test has names of its own. */
function someNames() {
  const id = randomUUID()
  return { file: `${id}.yaml`, group: `acme:staff ${id}`, client: `app-${id}` }
}

const entry = (client: string, group: string) => `clients:
  - clientId: ${client}
    redirectUris: [https://app.example.org/cb]
    access: groups
    allowedGroups: ['${group}']
`

test.group('Configuration files | groups of providers', () => {
  test('a client names one before its first sign-in', async ({ assert }) => {
    const { file, group, client } = someNames()
    await apply(entry(client, group), { name: file })
    const made = await findClient(client)
    assert.deepEqual(made!.allowedGroups, [group])
    const { id } = (await findGroupByName(group))!
    const events = await recordsWhere({ action: 'group.created' })
    const own = events.filter(({ details }) => JSON.stringify(details).includes(id))
    assert.lengthOf(own, 1)
    const second = await apply(entry(client, group), { name: file })
    assert.deepEqual(second.changes, [])
  })

  test('a client that is stored gets one', async ({ assert }) => {
    const { file, group, client } = someNames()
    await apply(`clients: [{ clientId: ${client}, redirectUris: [https://a.example.org] }]`)
    const checked = await apply(entry(client, group), { name: file, isCheck: true })
    assert.sameMembers(checked.changes[0].fields, ['redirectUris', 'access', 'allowedGroups'])
    await apply(entry(client, group), { name: file })
    const changed = await findClient(client)
    assert.deepEqual(changed!.allowedGroups, [group])
  })

  test('two clients may name the same one', async ({ assert }) => {
    const [one, other] = [someNames(), someNames()]
    const text = entry(one.client, one.group)
    const second = entry(other.client, one.group.replace('staff', 'STAFF'))
    await apply(text + second.replace('clients:\n', ''), { name: one.file })
    const clients = [await findClient(one.client), await findClient(other.client)]
    assert.deepEqual(
      clients.map((client) => client!.allowedGroups),
      [[one.group], [one.group]]
    )
  })

  test('a check makes none', async ({ assert }) => {
    const { file, group, client } = someNames()
    const { changes } = await apply(entry(client, group), { name: file, isCheck: true })
    assert.lengthOf(changes, 1)
    assert.isNull(await findGroupByName(group))
  })

  test('a name that no provider can give is a fault')
    .with(['acme:', ':staff', 'Acme Inc: staff', 'acme: staff'])
    .run(async ({ assert }, group) => {
      const { client } = someNames()
      await assert.rejects(() => apply(entry(client, group)), /such as acme:staff/)
    })

  test('one more group than there can be is a fault of the check', async ({ assert, cleanup }) => {
    const before = limits.groups
    cleanup(() => {
      Object.assign(limits, { groups: before })
    })
    const { group, client } = someNames()
    const text = `groups: [{ name: Staff ${randomUUID()} }]\n${entry(client, group)}`
    const [{ total }] = await db.from('groups').count('* as total')
    Object.assign(limits, { groups: Number(total) + 2 })
    const { changes } = await apply(text, { isCheck: true })
    assert.lengthOf(changes, 2)
    Object.assign(limits, { groups: Number(total) + 1 })
    await assert.rejects(() => apply(text, { isCheck: true }), /clients.0: .*groups/)
  })
})
