import { randomUUID } from 'node:crypto'
import { test } from '@japa/runner'
import User from '#models/user'
import { SYSTEM } from '#audit/actor'
import limits from '#config/limits'
import { findClient } from '#oidc/clients/client_rows'
import { addServiceAccount } from '#users/service_accounts'
import { apply } from '#tests/support/configuration'

const clientAlone = (username: string, client: string) => `
clients:
  - clientId: ${client}
    grantTypes: [client_credentials]
    scopes: [profile:read]
    serviceAccount: ${username}
`

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

  test('another account of the name of its client changes nothing', async ({ assert }) => {
    const [username, client] = [`robot-${randomUUID()}`, `app-${randomUUID()}`]
    const name = `${randomUUID()}.yaml`
    const { id } = await addServiceAccount({ username }, SYSTEM)
    await apply(clientAlone(username, client), { name })
    await addServiceAccount({ username, role: 'Admin' }, SYSTEM)
    for (const text of [clientAlone(username, client), withClient(username, client)])
      await apply(text, { name, isAtStart: true })
    const { serviceAccountId } = (await findClient(client))!
    assert.equal(serviceAccountId, id)
  })

  test('of {stored} accounts none is taken for a new client, and the fault says what helps')
    .with([
      { stored: 0, remedy: /serviceAccount: No service account .* add it to serviceAccounts/ },
      { stored: 2, remedy: /serviceAccount: Several .*user:update ID --username=NAME/ },
    ])
    .run(async ({ assert }, { stored, remedy }) => {
      const [username, client] = [`robot-${randomUUID()}`, `app-${randomUUID()}`]
      for (let made = 0; made < stored; made++) await addServiceAccount({ username }, SYSTEM)
      await assert.rejects(() => apply(clientAlone(username, client)), remedy)
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
