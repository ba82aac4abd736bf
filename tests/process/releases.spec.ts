import { copyFileSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { zstdDecompressSync } from 'node:zlib'
import { test } from '@japa/runner'
import Sqlite from 'better-sqlite3'
import { ace } from './ace.ts'
import { Backend } from './backend.ts'
import { newDataDir, Product } from './product.ts'
import { EXPECTED, prove, RELEASE_SETTINGS, type ReleaseContents } from '../releases/contents.ts'

const RELEASES = join(import.meta.dirname, '../releases')
const YEAR_MS = 366 * 86_400_000

const releases = readdirSync(RELEASES, { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => ({ name, folder: join(RELEASES, name) }))

function contentsOf(folder: string): ReleaseContents {
  return JSON.parse(readFileSync(join(folder, 'contents.json'), 'utf8'))
}

/** Returns the keyrings as settings, because on Postgres they come from the environment. */
function secretsOf(folder: string): Record<string, string> {
  return JSON.parse(readFileSync(join(folder, 'secrets.json'), 'utf8'))
}

/** Keys expire after a year at most, but the fixtures are kept longer. */
const RENEW_KEYS = `UPDATE api_keys SET expires_at = ${Date.now() + YEAR_MS}`

/** Makes a folder as a server of the release has left it. */
function dataDirOf(folder: string) {
  const dataDir = newDataDir()
  const file = join(dataDir, 'gatehouse.sqlite')
  writeFileSync(file, zstdDecompressSync(readFileSync(join(folder, 'gatehouse.sqlite.zst'))))
  copyFileSync(join(folder, 'secrets.json'), join(dataDir, 'secrets.json'))
  const database = new Sqlite(file)
  database.exec(RENEW_KEYS)
  database.close()
  return dataDir
}

/** Returns the checks that an operator reads after an upgrade. */
async function checksOf(dataDir: string, settings: Record<string, string>) {
  const doctor = await ace(dataDir, ['doctor', '--json'], { settings })
  const checks: { subject: string; state: string }[] = doctor.json()
  const verified = await ace(dataDir, ['audit:verify'], { settings })
  const migrations = checks.find(({ subject }) => subject === 'migrations')
  return { migrations: migrations?.state, trail: verified.code }
}

const WHOLE = { migrations: 'ok', trail: 0 }

test.group('Releases', (group) => {
  const products: Product[] = []
  const backends: Backend[] = []

  async function start(settings: Record<string, string>, dataDir: string) {
    const product = await Product.spawn({ ...RELEASE_SETTINGS, ...settings }, dataDir)
    products.push(product)
    await product.answers('/health/ready')
    return product
  }

  group.each.teardown(async () => {
    for (const product of products.splice(0)) await product.remove()
    for (const backend of backends.splice(0)) await backend.remove()
  })

  test('the SQLite file of {name} migrates and signs its users in')
    .with(releases)
    .run(async ({ assert }, { folder }) => {
      const product = await start({}, dataDirOf(folder))
      assert.deepEqual(await prove(product, contentsOf(folder)), EXPECTED)
      assert.deepEqual(await checksOf(product.dataDir, RELEASE_SETTINGS), WHOLE)
    })

  test('the backup of {name} moves to Postgres and signs its users in')
    .with(releases)
    .run(async ({ assert }, { folder }) => {
      const backend = await Backend.withPostgres()
      backends.push(backend)
      const settings = { ...backend.settings, ...RELEASE_SETTINGS, ...secretsOf(folder) }
      const [file, identity] = ['backup.tar.zst.age', 'identity.txt'].map((name) =>
        join(folder, name)
      )
      const dataDir = newDataDir()
      const restore = ['backup:restore', file, `--identity=${identity}`, '--yes']
      const restored = await ace(dataDir, restore, { settings })
      assert.equal(restored.code, 0, restored.stderr)
      await backend.query(RENEW_KEYS)
      const product = await start(settings, dataDir)
      assert.deepEqual(await prove(product, contentsOf(folder)), EXPECTED)
      assert.deepEqual(await checksOf(dataDir, settings), WHOLE)
    })
})
