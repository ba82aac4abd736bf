import { setTimeout as wait } from 'node:timers/promises'
import { test } from '@japa/runner'
import { PASSWORD, someEmail } from '#tests/fixtures'
import { Product } from './product.ts'

const UNLIMITED = { REGISTER_IP_LIMIT: '0', LOGIN_IP_LIMIT: '0', LOGIN_THROTTLE_LIMIT: '0' }
const WRONG = 'Wrong-h0rse!'

/** What a client was told, and must find again whatever happened to the server since. */
interface Ledger {
  accounts: string[]
  endedTokens: string[]
  locked: string[]
}

async function registerUntilKilled(product: Product, ledger: Ledger) {
  for (;;) {
    const account = { email: someEmail(), username: 'ada', password: PASSWORD }
    const { status } = await product.request('/auth/register', { body: account })
    if (status === 201) ledger.accounts.push(account.email)
  }
}

async function endSessionsUntilKilled(product: Product, ledger: Ledger) {
  for (;;) {
    const account = { email: someEmail(), username: 'ada', password: PASSWORD }
    await product.request('/auth/register', { body: account })
    const { body } = await product.request('/auth/login', { body: account })
    const token = body.accessToken
    const { status } = await product.request('/auth/logout', { method: 'POST', token })
    if (status === 200) ledger.endedTokens.push(token)
  }
}

async function lockUntilKilled(product: Product, ledger: Ledger) {
  for (;;) {
    const account = { email: someEmail(), username: 'ada', password: PASSWORD }
    await product.request('/auth/register', { body: account })
    for (let count = 1; count <= 5; count++) {
      const guess = { email: account.email, password: WRONG }
      const { status } = await product.request('/auth/login', { body: guess })
      if (status === 403) ledger.locked.push(account.email)
    }
  }
}

test.group('Loss | kill -9 under load', () => {
  test('loses nothing that was acknowledged', async ({ assert }) => {
    let product = await Product.start(UNLIMITED)
    const ledger: Ledger = { accounts: [], endedTokens: [], locked: [] }
    for (let round = 1; round <= 3; round++) {
      const clients = [
        registerUntilKilled(product, ledger),
        registerUntilKilled(product, ledger),
        endSessionsUntilKilled(product, ledger),
        lockUntilKilled(product, ledger),
      ].map((client) => client.catch(() => {}))
      await wait(1_200)
      await product.stop('SIGKILL')
      await Promise.all(clients)
      product = await Product.start(UNLIMITED, product.dataDir)
    }

    assert.isAbove(ledger.accounts.length, 10)
    assert.isAbove(ledger.endedTokens.length, 3)
    assert.isAbove(ledger.locked.length, 1)
    for (const email of ledger.accounts) {
      const body = { email, username: 'again', password: PASSWORD }
      const { status } = await product.request('/auth/register', { body })
      assert.equal(status, 409, `${email} was lost`)
    }
    for (const token of ledger.endedTokens) {
      const { status } = await product.request('/auth/profile', { token })
      assert.equal(status, 401, 'an ended session lives')
    }
    for (const email of ledger.locked) {
      const { status } = await product.request('/auth/login', {
        body: { email, password: PASSWORD },
      })
      assert.equal(status, 403, `the lock of ${email} was lost`)
    }
    await product.remove()
  }).timeout(90_000)
})
