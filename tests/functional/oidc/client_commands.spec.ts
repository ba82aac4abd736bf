import { randomUUID } from 'node:crypto'
import { test } from '@japa/runner'
import ClientCreate from '#commands/client_create'
import { SYSTEM } from '#audit/actor'
import { addServiceAccount } from '#users/service_accounts'
import { runCommand } from '#tests/support/commands'

const ROBOT = ['--name=Reports', '--grants=client_credentials', '--scopes=users:read']

test.group('Commands | applications', () => {
  test('a service account is given by name or id', async ({ assert }) => {
    const { id, username } = await addServiceAccount({ username: randomUUID().slice(1) }, SYSTEM)
    for (const name of [username, id]) {
      const made = await runCommand(ClientCreate, [...ROBOT, `--service-account=${name}`])
      assert.equal(made.code, 0, made.told)
      assert.equal(made.printed.serviceAccountId, id)
    }
  })

  test('an unknown service account ends with 3', async ({ assert }) => {
    for (const name of ['no-such-robot', randomUUID()]) {
      const refused = await runCommand(ClientCreate, [...ROBOT, `--service-account=${name}`])
      assert.equal(refused.code, 3)
      assert.equal(refused.told, `--service-account: no account is named ${name}.`)
    }
  })
})
