import { test } from '@japa/runner'
import { Backend, newcomer, signIn } from './backend.ts'
import { Product } from './product.ts'
import { PASSWORD } from '#tests/support/users'

/** Each round has one user, whose changes coincide with the end of the session at every point. */
const ROUNDS = 8

/** Done, refused for the session, or refused by a busy server, which changes nothing. */
const EXPECTED = [200, 201, 401, 503]

test.group('Two processes | end of the session', (group) => {
  let backend: Backend
  let products: Product[]
  group.setup(async () => {
    backend = await Backend.withRedis()
    products = await Promise.all([1, 2].map(() => Product.spawn(backend.settings)))
    await Promise.all(products.map((product) => product.answers('/health/ready')))
  })
  group.teardown(async () => {
    for (const product of products) await product.remove()
    await backend.remove()
  })

  /** Makes keys and names in a session at one process, while the other process ends it. */
  async function race() {
    const thief = await newcomer(products[1])
    const owner = await signIn(products[0], thief)
    const { token } = thief
    const proof = { currentPassword: PASSWORD }
    const key = { ...proof, name: 'Report', scopes: ['profile:read'] }
    const keys = [1, 2, 3].map(() => products[1].request('/auth/api-keys', { token, body: key }))
    const names = ['Eve', 'Mallory'].map((username) =>
      products[1].request('/auth/profile', { method: 'PUT', token, body: { username } })
    )
    const end = products[0].ask('/auth/logout-all', { token: owner.token, body: {} })
    const answers = await Promise.all([...keys, ...names])
    return { id: thief.id, statuses: answers.map(({ status }) => status), ended: await end }
  }

  /** Returns changes of a user that were committed after the end of the user's sessions. */
  async function changesAfterEnd(id: string) {
    const rows = await backend.query(
      `SELECT action, occurred_at FROM audit_events WHERE target_id = '${id}'`
    )
    const end = rows.find(({ action }) => action === 'sessions.ended')!
    const changes = rows.filter(({ action }) => /created$|updated$/.test(action))
    return changes.filter(({ occurred_at: at }) => Number(at) > Number(end.occurred_at))
  }

  test('nothing changes once it was answered', async ({ assert }) => {
    const seen = new Set<number>()
    for (let round = 0; round < ROUNDS; round++) {
      const { id, statuses, ended } = await race()
      assert.equal(ended.status, 200)
      assert.isEmpty(statuses.filter((status) => !EXPECTED.includes(status)))
      assert.deepEqual(await changesAfterEnd(id), [])
      for (const status of statuses) seen.add(status)
    }
    assert.include([...seen], 401)
  }).timeout(120_000)
})
