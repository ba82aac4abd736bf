import { existsSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from '@japa/runner'
import { until } from '#tests/support/waiting'
import { temporaryFolder } from '#tests/support/temporary_folder'
import { newIdentity } from '../functional/backup/archives.ts'
import { ace } from './ace.ts'
import { BACKENDS, WITH_ADMIN } from './application.ts'
import type { Backend } from './backend.ts'
import { newDataDirFor, Product } from './product.ts'

const TOKEN = 'a-token-of-the-scraper'

test.group('Scheduled backups', (group) => {
  let backend: Backend | null = null
  let products: Product[] = []
  let folder: string

  group.each.setup(() => {
    folder = temporaryFolder('backups')
  })
  group.each.teardown(async () => {
    for (const product of products) await product.remove()
    await backend?.remove()
    rmSync(folder, { recursive: true, force: true })
  })

  const made = () =>
    existsSync(folder) ? readdirSync(folder).filter((name) => !name.startsWith('.')) : []

  test('one of two servers makes a backup that opens, on {$self}')
    .with(['SQLite', 'Postgres'])
    .run(async ({ assert }, name) => {
      backend = await BACKENDS[name]()
      const { identity, recipient } = await newIdentity()
      const schedule = { BACKUP_EVERY: '1h', BACKUP_DIR: folder, BACKUP_RECIPIENT: recipient }
      const settings = { ...backend?.settings, ...WITH_ADMIN, ...schedule, METRICS_TOKEN: TOKEN }
      const dataDir = newDataDirFor(settings)
      products = [await Product.start(settings, dataDir), await Product.start(settings, dataDir)]
      const run = (args: string[]) => ace(dataDir, args, { settings })
      const doctor = async () => {
        const { json } = await run(['doctor', '--json'])
        return json().find(({ subject }: { subject: string }) => subject === 'backup')
      }
      const found = await until(async () => {
        const check = await doctor()
        return check.state === 'warning' ? null : check
      })
      assert.containSubset(found, { state: 'ok', finding: 'the newest is 0 hours old' })
      const [file, ...others] = made()
      assert.isEmpty(others)
      assert.equal(statSync(join(folder, file)).mode & 0o777, 0o600)
      const key = join(dataDir, 'key.txt')
      writeFileSync(key, `${identity}\n`)
      const verified = await run(['backup:verify', join(folder, file), `--identity=${key}`])
      assert.equal(verified.code, 0, verified.stderr)
      const { url } = products[0]
      const headers = { authorization: `Bearer ${TOKEN}` }
      const response = await fetch(`${url}/metrics`, { headers })
      const metrics = await response.text()
      assert.match(metrics, /^gatehouse_backup_age_seconds \d/m)
      assert.match(metrics, /^gatehouse_backup_verified_age_seconds \d/m)
    })

  test('a start without a recipient ends with a sentence', async ({ assert }) => {
    const product = await Product.spawn({ BACKUP_EVERY: '24h' })
    products = [product]
    assert.equal(await product.exits(), 1)
    assert.include(
      product.output.join(''),
      'BACKUP_RECIPIENT is required where BACKUP_EVERY is set'
    )
  })
})
