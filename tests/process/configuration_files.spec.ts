import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from '@japa/runner'
import { ace } from './ace.ts'
import { Backend } from './backend.ts'
import { newDataDir, Product } from './product.ts'

const GROUPS = `groups:
  - name: Staff
    title: From the file
serviceAccounts:
  - username: robot
    groups: [Staff]
`

function fileOf(text: string, dataDir = newDataDir()) {
  const file = join(dataDir, 'gatehouse.yaml')
  writeFileSync(file, text)
  return { dataDir, file, settings: { CONFIG_FILES: file } }
}

test.group('Configuration files | at start', (group) => {
  const products: Product[] = []
  let backend: Backend | null = null
  group.each.teardown(async () => {
    for (const product of products.splice(0)) await product.remove()
    await backend?.remove()
    backend = null
  })

  async function start(settings: Record<string, string>, dataDir?: string) {
    const product = await Product.spawn(settings, dataDir)
    products.push(product)
    return product
  }

  test('a start applies them, and one without them lets go', async ({ assert }) => {
    const { dataDir, settings } = fileOf(GROUPS)
    const first = await start(settings, dataDir)
    await first.answers()
    const shown = await ace(dataDir, ['group:show', 'Staff', '--json'])
    assert.containsSubset(shown.json(), { title: 'From the file', memberCount: 1 })
    const refused = await ace(dataDir, ['group:delete', 'Staff', '--yes'])
    assert.equal(refused.code, 4)
    assert.include(refused.stderr, 'gatehouse.yaml')
    await first.stop()
    const second = await start({}, dataDir)
    await second.answers()
    const deleted = await ace(dataDir, ['group:delete', 'Staff', '--yes'])
    assert.equal(deleted.code, 0, deleted.stderr)
  })

  test('a fault stops the start with file, line and field', async ({ assert }) => {
    const { dataDir, file, settings } = fileOf('groups:\n  - name: Staff\n    titel: x\n')
    const product = await start(settings, dataDir)
    assert.equal(await product.exits(), 1)
    const output = product.output.join('')
    assert.include(output, `${file}:3:5: groups.0.titel: This field is not known`)
    assert.notMatch(output, /\bat .+:\d+|node_modules/)
  })

  test('two processes that start at once apply once', async ({ assert }) => {
    backend = await Backend.withPostgres()
    const { settings } = fileOf(GROUPS)
    const two = await Promise.all([1, 2].map(() => start({ ...backend!.settings, ...settings })))
    await Promise.all(two.map((product) => product.answers('/health/ready')))
    const [{ applied, groups, accounts }] = await backend.query(`
      SELECT (SELECT count(*)::int FROM audit_events WHERE action = 'configuration.applied') AS applied,
        (SELECT count(*)::int FROM groups) AS groups,
        (SELECT count(*)::int FROM users WHERE kind = 'service') AS accounts`)
    assert.deepEqual([applied, groups, accounts], [1, 1, 1])
  })
})
