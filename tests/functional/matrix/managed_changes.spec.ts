import { test } from '@japa/runner'
import { EXIT } from '../../../commands/_exit_codes.ts'
import { createAdmin, signedIn } from '#tests/support/fixtures'
import { FREE_CHANGES, MANAGED_CHANGES, refusalsOfBulkActions } from './managed_changes.ts'
import { MANAGED_COMMANDS } from './managed_commands.ts'
import { FILE } from './managed_records.ts'
import type { ApiClient } from '@japa/api-client'

async function prover(client: ApiClient) {
  const user = await createAdmin()
  const { headers } = await signedIn(client, user)
  return { client, user, headers, body: {} }
}

test.group('Managed records | changes', () => {
  test('{$self} answers E_MANAGED')
    .with(Object.keys(MANAGED_CHANGES))
    .run(async ({ client, assert }, name) => {
      const response = await MANAGED_CHANGES[name](await prover(client))
      response.assertStatus(409)
      response.assertBodyContains({ code: 'E_MANAGED', file: FILE })
      assert.isNotEmpty(response.body().fields)
    })

  test('the command {$self} is refused')
    .with(Object.keys(MANAGED_COMMANDS))
    .run(async ({ assert }, name) => {
      const { code, told } = await MANAGED_COMMANDS[name]()
      assert.equal(code, EXIT.refused, told)
      assert.include(told, `The file ${FILE} manages this`)
    })

  test('{$self} is free')
    .with(Object.keys(FREE_CHANGES))
    .run(async ({ client, assert }, name) => {
      const response = await FREE_CHANGES[name](await prover(client))
      assert.oneOf(response.status(), [200, 204])
    })

  test('bulk actions leave managed accounts as they are', async ({ assert }) => {
    assert.deepEqual(await refusalsOfBulkActions(), ['E_MANAGED', 'E_MANAGED'])
  })
})
