import { randomUUID } from 'node:crypto'
import { test } from '@japa/runner'
import User from '#models/user'
import { SYSTEM } from '#audit/actor'
import limits from '#config/limits'
import { findClient } from '#oidc/clients/client_rows'
import { addServiceAccount } from '#users/service_accounts'
import { apply } from '#tests/support/configuration'

const withClient = (username: string, client: string) => `
serviceAccounts: [{ username: ${username}, role: User }]
clients:
  - clientId: ${client}
    grantTypes: [client_credentials]
    scopes: [profile:read]
    serviceAccount: ${username}
`

test.group('Configuration files | service accounts', () => {
  test('another account of the same name changes nothing', async ({ assert }) => {
    const [username, client] = [`robot-${randomUUID()}`, `app-${randomUUID()}`]
    const name = `${randomUUID()}.yaml`
    await apply(withClient(username, client), { name })
    const { id } = await User.findByOrFail('username', username)
    await addServiceAccount({ username, role: 'Admin' }, SYSTEM)
    const { changes } = await apply(withClient(username, client), { name, isAtStart: true })
    assert.deepEqual(changes, [])
    const { serviceAccountId } = (await findClient(client))!
    assert.equal(serviceAccountId, id)
  })

  test('of accounts that no file manages any more none is taken', async ({ assert }) => {
    const [username, name] = [`robot-${randomUUID()}`, `${randomUUID()}.yaml`]
    const text = `serviceAccounts: [{ username: ${username} }]`
    await apply(text, { name })
    await apply('{}', { name })
    await addServiceAccount({ username }, SYSTEM)
    await assert.rejects(() => apply(text, { name }), /rename all but one/)
  })

  test('more groups than an account can have are a fault of the check', async ({ assert }) => {
    const names = Array.from({ length: limits.groupsOfUser + 1 }, () => `Staff ${randomUUID()}`)
    const groups = names.map((name) => `{ name: ${name} }`).join(', ')
    const account = `{ username: robot-${randomUUID()}, groups: [${names.join(', ')}] }`
    const text = `groups: [${groups}]\nserviceAccounts: [${account}]`
    await assert.rejects(() => apply(text, { isCheck: true }), /serviceAccounts.0.groups/)
  })
})
