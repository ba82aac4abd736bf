import { test } from '@japa/runner'
import { PASSWORD, someEmail } from '#tests/support/fixtures'
import { until } from '#tests/support/waiting'
import { Product } from './product.ts'

const UNLIMITED = { REGISTER_IP_LIMIT: '0', LOGIN_IP_LIMIT: '0', LOGIN_THROTTLE_LIMIT: '0' }
const WRONG = 'Wrong-h0rse!'

/** Writes that a client knows were accepted, and that must survive every crash. */
interface Acknowledged {
  users: string[]
  endedTokens: string[]
  locked: string[]
}

async function registerUntilKilled(product: Product, acknowledged: Acknowledged) {
  for (;;) {
    const user = { email: someEmail(), username: 'ada', password: PASSWORD }
    const { status } = await product.request('/auth/register', { body: user })
    if (status === 201) acknowledged.users.push(user.email)
  }
}

async function endSessionsUntilKilled(product: Product, acknowledged: Acknowledged) {
  for (;;) {
    const user = { email: someEmail(), username: 'ada', password: PASSWORD }
    await product.request('/auth/register', { body: user })
    const { body } = await product.request('/auth/login', { body: user })
    const token = body.accessToken
    const { status } = await product.request('/auth/logout', { method: 'POST', token })
    if (status === 200) acknowledged.endedTokens.push(token)
  }
}

async function lockUntilKilled(product: Product, acknowledged: Acknowledged) {
  for (;;) {
    const user = { email: someEmail(), username: 'ada', password: PASSWORD }
    await product.request('/auth/register', { body: user })
    for (let count = 1; count <= 5; count++) {
      const guess = { email: user.email, password: WRONG }
      const { status } = await product.request('/auth/login', { body: guess })
      if (status === 403) acknowledged.locked.push(user.email)
    }
  }
}

/** Waits until every kind of client has enough acknowledgements to reveal a loss. */
async function untilGrown({ users, endedTokens, locked }: Acknowledged) {
  const [known, ended, shut] = [users.length, endedTokens.length, locked.length]
  await until(() => users.length >= known + 4)
  await until(() => endedTokens.length >= ended + 2)
  await until(() => locked.length > shut)
}

test.group('Loss | kill -9 under load', () => {
  test('loses nothing that was acknowledged', async ({ assert }) => {
    let product = await Product.start(UNLIMITED)
    const acknowledged: Acknowledged = { users: [], endedTokens: [], locked: [] }
    for (let round = 1; round <= 3; round++) {
      const clients = [
        registerUntilKilled(product, acknowledged),
        registerUntilKilled(product, acknowledged),
        endSessionsUntilKilled(product, acknowledged),
        lockUntilKilled(product, acknowledged),
      ].map((client) => client.catch(() => {}))
      await untilGrown(acknowledged)
      await product.stop('SIGKILL')
      await Promise.all(clients)
      product = await Product.start(UNLIMITED, product.dataDir)
    }

    assert.isAbove(acknowledged.users.length, 10)
    assert.isAbove(acknowledged.endedTokens.length, 3)
    assert.isAbove(acknowledged.locked.length, 1)
    for (const email of acknowledged.users) {
      const body = { email, username: 'again', password: PASSWORD }
      const { status } = await product.ask('/auth/register', { body })
      assert.equal(status, 409, `${email} was lost`)
    }
    for (const token of acknowledged.endedTokens) {
      const { status } = await product.ask('/auth/profile', { token })
      assert.equal(status, 401, 'an ended session lives')
    }
    for (const email of acknowledged.locked) {
      const { status } = await product.ask('/auth/login', {
        body: { email, password: PASSWORD },
      })
      assert.equal(status, 403, `the lock of ${email} was lost`)
    }
    await product.remove()
  }).timeout(240_000)
})
