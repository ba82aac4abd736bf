import { test } from '@japa/runner'

/* With `OIDC_PROVIDER=off`, the code that decides what client tokens are good for is not loaded. */

/** Imports the module as a process without the provider has it. */
async function withoutProvider(): Promise<typeof import('#auth/tokens/client_access')> {
  return import(`${import.meta.resolve('#auth/tokens/client_access')}?without-provider`)
}

test.group('Client access | without the provider', () => {
  test('a token of an application is good for nothing', async ({ assert }) => {
    const { findClientAccess } = await withoutProvider()
    const token = { clientId: 'grafana', userId: 'u', userVersion: 'v', sessionId: 's' }
    assert.isNull(await findClientAccess(token))
  })
})
