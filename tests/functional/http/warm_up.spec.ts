import { test } from '@japa/runner'
import { loadedLibraries, warmUp } from '#setup/warm_up'

test.group('Warm-up', () => {
  test('loads the libraries of the features that are on', async ({ assert }) => {
    await warmUp({ pauseMs: 0 })
    assert.deepEqual([...loadedLibraries], ['provider', 'passkeys', 'documentation'])
  })
})
