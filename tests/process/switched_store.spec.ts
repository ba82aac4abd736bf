import { test } from '@japa/runner'
import { Backend, newcomer, patientProfileStatus } from './backend.ts'
import { Product } from './product.ts'

/** The store of the first and the last start, and the store of the start in between. */
const SWITCHES = [
  { from: 'database', to: 'redis' },
  { from: 'redis', to: 'database' },
]

test.group('Store | switched and switched back', () => {
  test('from {from} to {to}: no earlier session comes back')
    .with(SWITCHES)
    .run(async ({ assert, cleanup }, { from, to }) => {
      const backend = await Backend.withRedis()
      cleanup(() => backend.remove())
      const startWith = async (STORE: string) => {
        const product = await Product.start({ ...backend.settings, STORE })
        cleanup(() => product.remove())
        return product
      }
      const first = await startWith(from)
      const { token, refreshToken } = await newcomer(first)
      await first.stop()
      const second = await startWith(to)
      const between = await patientProfileStatus(second, token)
      await second.stop()
      const third = await startWith(from)
      const after = await patientProfileStatus(third, token)
      const refreshed = await third.ask('/auth/refresh', { body: { refreshToken } })
      assert.deepEqual([between, after, refreshed.status], [401, 401, 401])
    })
    .timeout(180_000)
})
