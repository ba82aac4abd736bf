import { test } from '@japa/runner'
import User from '#models/user'
import { PASSWORD, someAddress, someEmail } from '#tests/support/fixtures'
import type { ApiClient } from '@japa/api-client'

function register(client: ApiClient, fields: object, address = someAddress()) {
  return client
    .post('/auth/register')
    .header('x-forwarded-for', address)
    .json({ email: someEmail(), username: 'ada', password: PASSWORD, ...fields })
}

test.group('Register | success', () => {
  test('a registration answers 201 with the record', async ({ client, assert }) => {
    const email = someEmail()
    const response = await register(client, { email })

    response.assertStatus(201)
    assert.containsSubset(response.body(), {
      email,
      emailVerified: false,
      username: 'ada',
      nickname: null,
      role: 'User',
      mfaEnabled: false,
      lockedUntil: null,
      disabled: false,
    })
    assert.match(response.body().id, /^[\da-f]{8}-[\da-f]{4}-7/)
    assert.notProperty(response.body(), 'password')
  })

  test('an address is stored in canonical form', async ({ client, assert }) => {
    const email = someEmail()
    const response = await register(client, { email: `  ${email.toUpperCase()} ` })
    assert.equal(response.body().email, email)
  })

  test('addresses with dots or tags stay different', async ({ client }) => {
    const name = someEmail().split('@')[0]
    for (const local of [`${name}.x`, `${name}.x+tag`]) {
      const response = await register(client, { email: `${local}@gmail.com` })
      response.assertStatus(201)
    }
  })

  test('a name keeps the joiners of its spelling', async ({ client, assert }) => {
    for (const username of [
      '\u0645\u0647\u200C\u0631\u0627\u0632',
      '\u{1F468}\u200D\u{1F469}\u200D\u{1F467}',
    ]) {
      const response = await register(client, { username })
      response.assertStatus(201)
      assert.equal(response.body().username, username)
    }
  })

  test('unknown keys of the body are ignored', async ({ client, assert }) => {
    const response = await register(client, { role: 'Admin', disabled: true, id: 'mine' })
    response.assertStatus(201)
    assert.containsSubset(response.body(), { role: 'User', disabled: false })
  })

  test('blanks around a password are kept', async ({ client }) => {
    const email = someEmail()
    await register(client, { email, password: ` ${PASSWORD} ` })
    const trimmed = await client.post('/auth/login').json({ email, password: PASSWORD })
    trimmed.assertStatus(401)
    const exact = await client.post('/auth/login').json({ email, password: ` ${PASSWORD} ` })
    exact.assertStatus(200)
  })
})

test.group('Register | refusals', () => {
  test('a registration refuses {name}')
    .with([
      { name: 'no e-mail', fields: { email: undefined }, field: 'email' },
      { name: 'an e-mail without a domain', fields: { email: 'ada@' }, field: 'email' },
      { name: 'a quoted local part', fields: { email: '" "@example.org' }, field: 'email' },
      { name: 'letters of another script', fields: { email: 'mıke@example.org' }, field: 'email' },
      { name: 'an e-mail that is no text', fields: { email: { $ne: 1 } }, field: 'email' },
      { name: 'a missing username', fields: { username: '' }, field: 'username' },
      { name: 'a name with direction marks', fields: { username: 'a\u202Eb' }, field: 'username' },
      {
        name: 'a name of 101 characters',
        fields: { username: 'a'.repeat(101) },
        field: 'username',
      },
      { name: 'a password that is no text', fields: { password: 12345678 }, field: 'password' },
    ])
    .run(async ({ client, assert }, { fields, field }) => {
      const response = await register(client, fields)
      response.assertStatus(400)
      assert.containsSubset(response.body(), {
        statusCode: 400,
        error: 'Bad Request',
        message: 'request parameter error',
        code: 'E_VALIDATION_ERROR',
      })
      assert.equal(response.body().errors[0].field, field)
    })

  test('every rule that a password breaks is named', async ({ client, assert }) => {
    const response = await register(client, { password: '~~~' })
    response.assertStatus(400)
    const rules = response.body().errors.map((error: { rule: string }) => error.rule)
    assert.deepEqual(rules, ['minLength', 'uppercase', 'lowercase', 'digit', 'special'])
  })

  test('a password of {length} characters gets {status}')
    .with([
      { length: 7, status: 400 },
      { length: 8, status: 201 },
      { length: 9, status: 201 },
      { length: 127, status: 201 },
      { length: 128, status: 201 },
      { length: 129, status: 400 },
    ])
    .run(async ({ client }, { length, status }) => {
      const response = await register(client, { password: 'Aa1!'.padEnd(length, 'x') })
      response.assertStatus(status)
    })

  test('an emoji counts as one character', async ({ client }) => {
    const response = await register(client, { password: 'Aa1!😀😀😀' })
    response.assertStatus(400)
  })

  test('a taken address is refused in any spelling', async ({ client, assert }) => {
    const email = someEmail()
    await register(client, { email })
    const response = await register(client, { email: email.toUpperCase() })
    response.assertStatus(409)
    assert.equal(response.body().code, 'E_EMAIL_TAKEN')
  })

  test('one of many parallel registrations gets the address', async ({ client, assert }) => {
    const email = someEmail()
    const answers = await Promise.all(Array.from({ length: 8 }, () => register(client, { email })))
    const statuses = answers.map((answer) => answer.status()).sort()
    assert.deepEqual(statuses, [201, ...Array(7).fill(409)])
    assert.lengthOf(await User.query().where('email', email), 1)
  })

  test('one client address registers ten users an hour', async ({ client, assert }) => {
    const address = someAddress()
    for (let count = 1; count <= 10; count++) {
      const response = await register(client, {}, address)
      response.assertStatus(201)
    }
    const eleventh = await register(client, {}, address)
    eleventh.assertStatus(429)
    assert.isAtLeast(Number(eleventh.header('retry-after')), 1)
    assert.equal(eleventh.header('ratelimit-limit'), '10')
  })
})
