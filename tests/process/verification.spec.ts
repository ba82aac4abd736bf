import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { test } from '@japa/runner'
import { PASSWORD, someEmail } from '#tests/fixtures'
import { outboxOf } from '#tests/mail'
import { Product } from './product.ts'

async function firstMail(product: Product, email: string) {
  for (let tries = 1; tries <= 200; tries++) {
    const [mail] = await outboxOf(email, join(product.dataDir, 'outbox'))
    if (mail) return mail
    await wait(25)
  }
  throw new Error('No mail came')
}

test.group('Verification | required', () => {
  test('keeps an unverified account out until its link', async ({ assert, cleanup }) => {
    const product = await Product.start({ REQUIRE_VERIFIED_EMAIL: 'true' })
    cleanup(() => product.remove())
    const account = { email: someEmail(), username: 'Ada', password: PASSWORD }
    await product.request('/auth/register', { body: account })
    const refused = await product.request('/auth/login', { body: account })
    assert.equal(refused.status, 403)
    assert.equal(refused.body.code, 'E_EMAIL_UNVERIFIED')
    const { token, kind } = await firstMail(product, account.email)
    assert.equal(kind, 'email_verification')
    const verified = await product.request('/auth/verify-email', { body: { token } })
    assert.equal(verified.status, 200)
    const admitted = await product.request('/auth/login', { body: account })
    assert.equal(admitted.status, 200)
  })

  test('tells a wrong password nothing of it', async ({ assert, cleanup }) => {
    const product = await Product.start({ REQUIRE_VERIFIED_EMAIL: 'true' })
    cleanup(() => product.remove())
    const account = { email: someEmail(), username: 'Ada', password: PASSWORD }
    await product.request('/auth/register', { body: account })
    const guess = { email: account.email, password: 'Wrong-h0rse!' }
    const { status } = await product.request('/auth/login', { body: guess })
    assert.equal(status, 401)
  })
})
