import { test } from '@japa/runner'
import { loadedLibraries, warmUp } from '#setup/warm_up'
import { application } from '#tests/support/oidc'
import { createUser } from '#tests/support/fixtures'
import { givePasskey } from '#tests/support/passkeys'

test.group('Warm-up', () => {
  test('loads the libraries of the features that are used', async ({ assert }) => {
    await application()
    await givePasskey(await createUser())
    await warmUp({ pauseMs: 0 })
    assert.deepEqual([...loadedLibraries], ['provider', 'passkeys', 'documentation'])
  })
})
