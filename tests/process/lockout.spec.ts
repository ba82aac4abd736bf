import { setTimeout as wait } from 'node:timers/promises'
import { test } from '@japa/runner'
import { PASSWORD } from '#tests/users'
import { Backend, newcomer } from './backend.ts'
import { Product } from './product.ts'

/** As many guesses as an attacker sends, unless the machine is too busy to answer them in time. */
const GUESSES = 10_000
const ATTACK_MS = 20_000
const AT_ONCE = 20

test.group('Lockout | an attack on two processes', (group) => {
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

  function logIn(count: number, body: object, headers = {}) {
    return products[count % 2].request('/auth/login', { body, headers })
  }

  /** Guesses without a pause, several at once, and resolves with how many were answered. */
  async function attack(email: string, until: number) {
    let sent = 0
    const guess = async () => {
      while (sent < GUESSES && Date.now() < until) {
        sent++
        await logIn(sent, { email, password: `Wrong-h0rse-${sent}` })
      }
    }
    await Promise.all(Array.from({ length: AT_ONCE }, guess))
    return sent
  }

  /** Signs in every second, and resolves with the statuses. */
  async function keepSigningIn(email: string, deviceToken: string, until: number) {
    const headers = { 'x-device-id': 'laptop', 'x-device-token': deviceToken }
    const statuses: number[] = []
    while (Date.now() < until) {
      const { status } = await logIn(statuses.length, { email, password: PASSWORD }, headers)
      statuses.push(status)
      await wait(1_000)
    }
    return statuses
  }

  test('keeps the owner in and strangers to five guesses', async ({ assert }) => {
    const { email, id } = await newcomer(products[0])
    const device = { 'x-device-id': 'laptop' }
    const { response } = await logIn(0, { email, password: PASSWORD }, device)
    const deviceToken = response.headers.get('x-device-token')!
    const until = Date.now() + ATTACK_MS
    const [sent, statuses] = await Promise.all([
      attack(email, until),
      keepSigningIn(email, deviceToken, until),
    ])
    const [{ evaluated }] = await backend.query(`
      SELECT count(*)::int AS evaluated FROM audit_events WHERE target_id = '${id}'
        AND action IN ('login.failed', 'account.locked', 'device.locked')`)
    const stranger = await logIn(1, { email, password: PASSWORD })
    assert.isAbove(sent, 100)
    assert.isAbove(statuses.length, 5)
    assert.deepEqual([...new Set(statuses)], [200])
    assert.isAtLeast(evaluated, 1)
    assert.isAtMost(evaluated, 5)
    assert.equal(stranger.status, 403)
  }).timeout(60_000)
})
