import { join } from 'node:path'
import { test } from '@japa/runner'
import { PASSWORD, someEmail } from '#tests/support/fixtures'
import { mailFilesOf } from '#tests/support/mail'
import { until } from '#tests/support/waiting'
import { Product } from './product.ts'

const ADMIN = { email: someEmail(), password: PASSWORD }

const SETTINGS = {
  REQUIRE_VERIFIED_EMAIL: 'true',
  ADMIN_EMAIL: ADMIN.email,
  ADMIN_PASSWORD: ADMIN.password,
}

function firstMail(product: Product, email: string) {
  return until(async () => {
    const [mail] = await mailFilesOf(email, join(product.dataDir, 'outbox'))
    return mail
  })
}

test.group('Verification | required', (group) => {
  let product: Product
  group.setup(async () => {
    product = await Product.start(SETTINGS)
  })
  group.teardown(() => product.remove())

  test('keeps an unverified user out until its link', async ({ assert }) => {
    const user = { email: someEmail(), username: 'Ada', password: PASSWORD }
    await product.ask('/auth/register', { body: user })
    const refused = await product.ask('/auth/login', { body: user })
    assert.equal(refused.status, 403)
    assert.equal(refused.body.code, 'E_EMAIL_UNVERIFIED')
    const { token, kind } = await firstMail(product, user.email)
    assert.equal(kind, 'email_verification')
    const verified = await product.ask('/auth/verify-email', { body: { token } })
    assert.equal(verified.status, 200)
    const login = await product.ask('/auth/login', { body: user })
    assert.equal(login.status, 200)
  })

  test('hides the missing verification from a wrong password', async ({ assert }) => {
    const user = { email: someEmail(), username: 'Ada', password: PASSWORD }
    await product.ask('/auth/register', { body: user })
    const guess = { email: user.email, password: 'Wrong-h0rse!' }
    const { status } = await product.ask('/auth/login', { body: guess })
    assert.equal(status, 401)
  })

  test('lets the first administrator in', async ({ assert }) => {
    const { status, body } = await product.ask('/auth/login', { body: ADMIN })
    assert.equal(status, 200)
    assert.equal(body.user.role, 'Admin')
  })

  test('mails a link to a user whom others add', async ({ assert }) => {
    const { body } = await product.ask('/auth/login', { body: ADMIN })
    const user = { email: someEmail(), password: PASSWORD }
    await product.ask('/users', { body: user, token: body.accessToken })
    const { kind } = await firstMail(product, user.email)
    assert.equal(kind, 'email_verification')
  })

  test('stops refreshing a user who is unverified', async ({ assert }) => {
    const { body } = await product.ask('/auth/login', { body: ADMIN })
    const { refreshToken, accessToken: token, user } = body
    const refresh = { body: { refreshToken } }
    const before = await product.ask('/auth/refresh', refresh)
    const other = { email: someEmail(), username: 'ada', password: PASSWORD, role: 'Admin' }
    const { body: successor } = await product.ask('/users', { body: other, token })
    const verify = { method: 'PUT', body: { emailVerified: true }, token }
    await product.ask(`/users/${successor.id}`, verify)
    const change = { method: 'PUT', body: { emailVerified: false }, token }
    await product.ask(`/users/${user.id}`, change)
    const after = await product.ask('/auth/refresh', refresh)
    assert.equal(before.status, 200)
    assert.deepEqual([after.status, after.body.code], [403, 'E_EMAIL_UNVERIFIED'])
  })
})
