import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { test } from '@japa/runner'
import { until } from '#tests/support/waiting'
import { ADMIN, register, useProxy, WITH_ADMIN } from './application.ts'
import { signIn } from './backend.ts'
import { newDataDirFor, Product } from './product.ts'

const GRANTS = 2_000

function inspect<T>(dataDir: string, look: (database: Database.Database) => T) {
  const database = new Database(join(dataDir, 'gatehouse.sqlite'))
  try {
    return look(database)
  } finally {
    database.close()
  }
}

/** Adds grants of the administrator, whose sessions are long gone: the deletion processes all. */
function addGrants(dataDir: string, clientId: string) {
  inspect(dataDir, (database) => {
    const { id } = database.prepare('SELECT id FROM users').get() as { id: string }
    const insert = database.prepare(`INSERT INTO oauth_records
      (kind, id_hash, payload, grant_id, client_id, user_id, expires_at)
      VALUES ('Grant', ?, '{}', ?, ?, ?, ?)`)
    const end = Date.now() + 86_400_000
    const add = database.transaction(() => {
      for (let count = 0; count < GRANTS; count++) {
        const grantId = randomUUID()
        insert.run(grantId, grantId, clientId, id, end)
      }
    })
    add()
  })
}

function countOf(dataDir: string, table: string) {
  return inspect(dataDir, (database) => {
    const row = database.prepare(`SELECT count(*) AS total FROM ${table}`).get()
    return (row as { total: number }).total
  })
}

test.group('Deletion of a client | process', () => {
  test('kill -9 leaves the rest to the next start, with the provider {provider}')
    .with([{ provider: 'on' }, { provider: 'off' }])
    .run(async ({ assert, cleanup }, { provider }) => {
      const dataDir = newDataDirFor()
      const products = [await Product.start(WITH_ADMIN, dataDir)]
      cleanup(useProxy(() => products.at(-1)!.url))
      cleanup(() => products.at(-1)!.remove())
      const { token } = await signIn(products[0], ADMIN)
      const { clientId } = await register(products[0], token)
      addGrants(dataDir, clientId)
      const { body } = await products[0].ask('/oauth-clients', { token })
      const { id } = body.find((one: { clientId: string }) => one.clientId === clientId)
      const sent = products[0].ask(`/oauth-clients/${id}`, { method: 'DELETE', token })
      const answer = sent.catch(() => null)
      await until(() => countOf(dataDir, 'client_deletions') === 1)
      await products[0].stop('SIGKILL')
      await answer
      assert.isAbove(countOf(dataDir, 'oauth_records'), 0)
      products.push(await Product.start({ ...WITH_ADMIN, OIDC_PROVIDER: provider }, dataDir))
      await until(() => countOf(dataDir, 'client_deletions') === 0, 90_000)
      assert.equal(countOf(dataDir, 'oauth_records'), 0)
    })
})
