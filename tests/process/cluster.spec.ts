import { test } from '@japa/runner'
import { generateSync } from 'otplib'
import { PASSWORD, someEmail } from '#tests/support/fixtures'
import { until } from '#tests/support/waiting'
import { Backend, newcomer, patientProfileStatus, signIn } from './backend.ts'
import { Product } from './product.ts'

const WRONG = 'Wrong-h0rse!'

test.group('Two processes', (group) => {
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

  /** Sends requests at the same time, alternately to the two processes. */
  function spread<T>(count: number, send: (product: Product) => Promise<T>) {
    return Promise.all(Array.from({ length: count }, (_, index) => send(products[index % 2])))
  }

  test('start together on an empty database', async ({ assert }) => {
    const [{ count }] = await backend.query('SELECT count(*)::int AS count FROM adonis_schema')
    assert.isAbove(count, 3)
  })

  test('evaluate at most five of many wrong passwords', async ({ assert }) => {
    const { email, id } = await newcomer(products[0])
    // Otherwise the mail is dropped sooner or later, because the address was never verified.
    await backend.query(`UPDATE users SET email_verified_at = 1 WHERE id = '${id}'`)
    const body = { email, password: WRONG }
    const answers = await spread(60, (product) => product.request('/auth/login', { body }))
    // A guess on a busy machine (503) was not evaluated, and leaves its attempt to another guess.
    await until(async () => {
      answers.push(await products[answers.length % 2].request('/auth/login', { body }))
      return answers.at(-1)!.status === 403
    }, 90_000)
    const [{ evaluated, mails }] = await backend.query(`
      SELECT (SELECT count(*)::int FROM audit_events WHERE target_id = '${id}'
                AND action IN ('login.failed', 'account.locked')) AS evaluated,
             (SELECT count(*)::int FROM mails WHERE recipient = '${email}'
                AND kind = 'account_locked') AS mails`)
    assert.isAtMost(evaluated, 5)
    assert.equal(mails, 1)
    assert.isTrue(answers.every(({ status }) => [401, 403, 429, 503].includes(status)))
    const right = await products[1].ask('/auth/login', { body: { email, password: PASSWORD } })
    assert.equal(right.status, 403)
  })

  test('register an e-mail once of twenty at once', async ({ assert }) => {
    const body = { email: someEmail(), username: 'ada', password: PASSWORD }
    const answers = await spread(20, (product) => product.ask('/auth/register', { body }))
    const statuses = answers.map(({ status }) => status)
    assert.lengthOf(
      statuses.filter((status) => status === 201),
      1
    )
    assert.isTrue(statuses.every((status) => [201, 409].includes(status)))
  })

  test('keep one of two administrators who demote each other', async ({ assert }) => {
    const admins = [await newcomer(products[0]), await newcomer(products[1])]
    const ids = admins.map(({ id }) => `'${id}'`).join(', ')
    await backend.query(`UPDATE users SET role = 'User' WHERE role = 'Admin'`)
    await backend.query(`UPDATE users SET role = 'Admin' WHERE id IN (${ids})`)
    const tokens = [await signIn(products[0], admins[0]), await signIn(products[1], admins[1])]
    const answers = await Promise.all(
      [0, 1].map((index) =>
        products[index].ask(`/users/${admins[1 - index].id}`, {
          method: 'PUT',
          token: tokens[index].token,
          body: { role: 'User' },
        })
      )
    )
    const [{ left }] = await backend.query(
      `SELECT count(*)::int AS left FROM users WHERE role = 'Admin'`
    )
    assert.equal(left, 1)
    assert.lengthOf(
      answers.filter(({ status }) => status === 200),
      1
    )
  })

  /** Makes a user with MFA. Returns the backup codes and the one-time code for a given time. */
  async function createUserWithMfa() {
    const { email, token } = await newcomer(products[0])
    const send = (path: string, body: object) => products[0].ask(path, { token, body })
    const { body: setup } = await send('/auth/mfa/setup', { currentPassword: PASSWORD })
    const codeAt = (ms: number) => generateSync({ secret: setup.secret, epoch: ms / 1_000 })
    const { body } = await send('/auth/mfa/enable', { code: codeAt(Date.now()) })
    return { email, backupCodes: body.backupCodes as string[], codeAt }
  }

  test('accept a backup code once of ten at once', async ({ assert }) => {
    const { email, backupCodes } = await createUserWithMfa()
    const body = { email, password: PASSWORD, code: backupCodes[0] }
    const answers = await spread(10, (product) => product.ask('/auth/login', { body }))
    const accepted = answers.filter(({ status }) => status === 200)
    assert.lengthOf(accepted, 1)
  })

  test('accept a one-time code once of ten at once', async ({ assert }) => {
    const { email, codeAt } = await createUserWithMfa()
    const body = { email, password: PASSWORD, code: codeAt(Date.now() + 30_000) }
    const answers = await spread(10, (product) => product.ask('/auth/login', { body }))
    const accepted = answers.filter(({ status }) => status === 200)
    assert.lengthOf(accepted, 1)
  })

  test('refuse a token at once after the other revoked it', async ({ assert }) => {
    for (const path of ['/auth/revoke', '/auth/logout', '/auth/logout-all']) {
      const { token } = await newcomer(products[0])
      assert.equal(await patientProfileStatus(products[1], token), 200)
      await products[0].ask(path, { method: 'POST', token })
      assert.equal(await patientProfileStatus(products[1], token), 401, path)
    }
  })

  test('show a profile at once after the other changed it', async ({ assert }) => {
    const { token } = await newcomer(products[0])
    for (let round = 1; round <= 20; round++) {
      const body = { username: `name-${round}` }
      const [writer, reader] = round % 2 ? products : products.toReversed()
      await writer.ask('/auth/profile', { method: 'PUT', token, body })
      const profile = await reader.ask('/auth/profile', { token })
      assert.equal(profile.body.username, body.username)
    }
  })

  test('end every other session at a change of password', async ({ assert }) => {
    const user = await newcomer(products[0])
    const body = { currentPassword: PASSWORD, newPassword: 'An0ther-horse!' }
    const [, ...logins] = await Promise.all([
      products[0].ask('/auth/change-password', { token: user.token, body }),
      ...Array.from({ length: 12 }, (_, index) =>
        products[index % 2].request('/auth/login', { body: { ...user } })
      ),
    ])
    for (const { body: tokens } of logins) {
      if (!tokens.accessToken) continue
      assert.equal(await patientProfileStatus(products[1], tokens.accessToken), 401)
    }
    assert.equal(await patientProfileStatus(products[1], user.token), 200)
  })
})
