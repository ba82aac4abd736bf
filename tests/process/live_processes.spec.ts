import { test } from '@japa/runner'
import { ace } from './ace.ts'
import { BACKENDS, startTwo } from './application.ts'
import type { Backend } from './backend.ts'
import type { Product } from './product.ts'

interface Check {
  subject: string
  state: string
  finding: string
}

test.group('Live processes', (group) => {
  let backend: Backend | null = null
  let products: Product[] = []

  group.each.teardown(async () => {
    for (const product of products) await product.remove()
    await backend?.remove()
  })

  async function counted() {
    const [{ dataDir }] = products
    const { json } = await ace(dataDir, ['doctor', '--json'], { settings: backend?.settings })
    const checks: Check[] = json()
    return checks.find(({ subject }) => subject === 'processes')!.finding
  }

  test('two servers count until they end, on {$self}')
    .with(['SQLite', 'Postgres'])
    .run(async ({ assert }, name) => {
      backend = await BACKENDS[name]()
      products = await startTwo(backend)
      assert.match(await counted(), /^2 of \d+\.\d+\.\d+$/)
      assert.equal(await products[1].stop(), 0)
      assert.match(await counted(), /^1 of /)
      await products[0].stop('SIGKILL')
      assert.match(await counted(), /^1 of /, 'a killed one counts for 30 seconds')
    })
})
