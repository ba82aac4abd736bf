import { test } from '@japa/runner'

/* `OIDC_PROVIDER=off`: what says what tokens of applications are good for is not there. */

/** As a process without the provider has it. */
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
