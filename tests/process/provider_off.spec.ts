import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { test } from '@japa/runner'
import { ADMIN, register, useProxy, WITH_ADMIN } from './application.ts'
import { newcomer, signIn } from './backend.ts'
import { newDataDirFor, Product } from './product.ts'

/* While `OIDC_PROVIDER` is off, the groups that open applications stay protected. */

const AGED = 'UPDATE sessions SET authenticated_at = ?'

test.group('Groups of applications | while the provider is off', (group) => {
  const dataDir = newDataDirFor()
  let product: Product
  let member: { id: string }
  let token: string
  let clientId: string
  let path: string

  function inspect<T>(look: (database: Database.Database) => T) {
    const database = new Database(join(dataDir, 'gatehouse.sqlite'))
    try {
      return look(database)
    } finally {
      database.close()
    }
  }

  /** Adds the grant that a sign-in to the application leaves. */
  function addGrant() {
    inspect((database) => {
      const insert = database.prepare(`INSERT INTO oauth_records
        (kind, id_hash, payload, grant_id, client_id, user_id, expires_at)
        VALUES ('Grant', ?, '{}', ?, ?, ?, ?)`)
      const grantId = randomUUID()
      insert.run(grantId, grantId, clientId, member.id, Date.now() + 86_400_000)
    })
  }

  function read(sql: string, id: string) {
    return inspect((database) => database.prepare(sql).pluck().get(id))
  }

  const countGrants = () => read('SELECT count(*) FROM oauth_records WHERE user_id = ?', member.id)

  const allowedGroups = () =>
    read('SELECT allowed_groups FROM oauth_clients WHERE client_id = ?', clientId)

  group.setup(async () => {
    product = await Product.start(WITH_ADMIN, dataDir)
    const restore = useProxy(() => product.url)
    const admin = await signIn(product, ADMIN)
    const name = `Staff ${randomUUID()}`
    const { body } = await product.ask('/groups', { body: { name }, token: admin.token })
    path = `/groups/${body.id}`
    const access = { access: 'groups', allowedGroups: [name] }
    const app = await register(product, admin.token, access)
    clientId = app.clientId
    member = await newcomer(product)
    await product.ask(`${path}/members/${member.id}`, { method: 'PUT', token: admin.token })
    addGrant()
    await product.stop()
    product = await Product.start({ ...WITH_ADMIN, OIDC_PROVIDER: 'off' }, dataDir)
    return async () => {
      restore()
      await product.remove()
    }
  })

  group.each.setup(async () => {
    ;({ token } = await signIn(product, ADMIN))
  })

  test('a session of yesterday adds no member to a group that opens one', async ({ assert }) => {
    inspect((database) => database.prepare(AGED).run(Date.now() - 86_400_000))
    const { id } = await newcomer(product)
    const answer = await product.ask(`${path}/members/${id}`, { method: 'PUT', token })
    assert.deepInclude(answer.body, { code: 'E_RECENT_LOGIN_REQUIRED' })
  })

  test('a member who is removed has no grant left', async ({ assert }) => {
    assert.equal(countGrants(), 1)
    await product.ask(`${path}/members/${member.id}`, { method: 'DELETE', token })
    assert.equal(countGrants(), 0)
  })

  test('the application names no group that is deleted', async ({ assert }) => {
    assert.notEqual(allowedGroups(), '[]')
    const { status } = await product.ask(path, { method: 'DELETE', token })
    assert.deepEqual([status, allowedGroups()], [204, '[]'])
  })
})
