import { chmodSync, mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from '@japa/runner'
import { findExposed } from '#setup/environment/data_dir'
import { newDataDir, Product } from './product.ts'

/** Makes a folder as an operator does, with a file of an earlier version. */
function openFolder() {
  const dataDir = newDataDir()
  mkdirSync(join(dataDir, 'outbox'), { recursive: true })
  writeFileSync(join(dataDir, 'outbox', 'old.eml'), 'To: ada@example.org')
  for (const name of ['', 'outbox']) chmodSync(join(dataDir, name), 0o755)
  chmodSync(join(dataDir, 'outbox', 'old.eml'), 0o644)
  return dataDir
}

test.group('Files', (group) => {
  let product: Product
  group.each.teardown(() => product.remove())

  test('a start closes a folder that was open to others', async ({ assert }) => {
    product = await Product.start({}, openFolder())
    const names = readdirSync(product.dataDir, { recursive: true }).map(String)
    const modes = ['', ...names].map((name) => {
      const stat = statSync(join(product.dataDir, name))
      return { name, isRight: (stat.mode & 0o777) === (stat.isDirectory() ? 0o700 : 0o600) }
    })
    assert.includeMembers(names, ['gatehouse.sqlite', 'outbox/old.eml'])
    assert.deepEqual(
      modes.filter(({ isRight }) => !isRight),
      []
    )
  })

  test('each file with another mode is named', async ({ assert }) => {
    product = await Product.start()
    const file = join(product.dataDir, 'gatehouse.sqlite')
    chmodSync(file, 0o640)
    assert.deepEqual(findExposed(product.dataDir), [{ path: file, mode: 0o640, expected: 0o600 }])
  })
})
