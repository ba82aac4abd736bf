import { test } from '@japa/runner'
import { Authenticator } from '#tests/support/authenticator'
import { Backend, newcomer } from './backend.ts'
import { Product } from './product.ts'

test.group('Two processes | passkeys', (group) => {
  let backend: Backend
  let products: Product[]
  group.setup(async () => {
    backend = await Backend.withRedis()
    const settings = { ...backend.settings, APP_URL: 'http://gatehouse.test' }
    products = await Promise.all([1, 2].map(() => Product.spawn(settings)))
    await Promise.all(products.map((product) => product.answers('/health/ready')))
  })
  group.teardown(async () => {
    for (const product of products) await product.remove()
    await backend.remove()
  })

  /** Requests a passkey at one process, and adds it at the other. */
  async function registered(authenticator = new Authenticator()) {
    const { token, id } = await newcomer(products[0])
    const asked = { token, body: {} }
    const options = await products[0].ask('/auth/passkeys/registration-options', asked)
    const body = { response: authenticator.create(options.body) }
    const added = await products[1].ask('/auth/passkeys', { token, body })
    return { authenticator, token, userId: id, passkey: added.body }
  }

  /** Sends the same assertion twenty times at the same moment, alternately to the two processes. */
  async function loginsWith(authenticator: Authenticator) {
    const options = await products[0].ask('/auth/passkeys/login-options', { body: {} })
    const body = { response: authenticator.get(options.body) }
    return Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        products[index % 2].ask('/auth/passkeys/login', { body })
      )
    )
  }

  test('start one session by twenty equal responses', async ({ assert }) => {
    const { authenticator, userId } = await registered()
    const answers = await loginsWith(authenticator)
    const statuses = answers.map(({ status }) => status).sort()
    const [{ started }] = await backend.query(
      `SELECT count(*)::int AS started FROM audit_events
       WHERE target_id = '${userId}' AND action = 'login.succeeded'`
    )
    assert.deepEqual(statuses, [200, ...Array.from({ length: 19 }, () => 401)])
    assert.equal(started, 2)
  })

  test('add one passkey by twenty equal responses', async ({ assert }) => {
    const { token } = await newcomer(products[0])
    const asked = { token, body: {} }
    const options = await products[0].ask('/auth/passkeys/registration-options', asked)
    const body = { response: new Authenticator().create(options.body) }
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        products[index % 2].ask('/auth/passkeys', { token, body })
      )
    )
    const statuses = answers.map(({ status }) => status).sort()
    assert.deepEqual(statuses, [201, ...Array.from({ length: 19 }, () => 400)])
  })

  test('refuse a passkey at once that the other removed', async ({ assert }) => {
    const { authenticator, token, passkey } = await registered()
    const options = await products[1].ask('/auth/passkeys/login-options', { body: {} })
    const response = authenticator.get(options.body)
    await products[0].ask(`/auth/passkeys/${passkey.id}`, { method: 'DELETE', token })
    const answer = await products[1].ask('/auth/passkeys/login', { body: { response } })
    assert.equal(answer.body.code, 'E_PASSKEY_INVALID')
  })
})
