import { test } from '@japa/runner'
import { randomBytes } from 'node:crypto'
import db from '@adonisjs/lucid/services/db'
import { SYSTEM } from '#audit/actor'
import { issueOneTimeToken } from '#auth/tokens/issue_one_time_token'
import {
  createAdmin,
  createUser,
  login,
  PASSWORD,
  signedIn,
  someAddress,
  someEmail,
} from '#tests/support/fixtures'
import { setPassword } from '#users/change_password'
import { holdHash } from '#tests/support/held_hash'

/** Returns an address that meets every composition rule except for an upper-case letter. */
function addressLikePassword() {
  return `ada1!${randomBytes(6).toString('hex')}@example.org`
}

const capitalized = (text: string) => `${text[0].toUpperCase()}${text.slice(1)}`

test.group('Passwords | names of the user', () => {
  test('a registration refuses {name} as the password')
    .with([
      { name: 'the e-mail', of: (email: string) => capitalized(email), username: 'Ada' },
      { name: 'its local part', of: (email: string) => capitalized(email.split('@')[0]) },
      { name: 'the username', of: () => 'Ada-1815!', username: 'ada-1815!' },
    ])
    .run(async ({ client, assert }, { of, username = 'Ada' }) => {
      const email = addressLikePassword()
      const response = await client
        .post('/auth/register')
        .header('x-forwarded-for', someAddress())
        .json({ email, username, password: of(email) })
      response.assertStatus(400)
      assert.containsSubset(response.body().errors, [{ field: 'password', rule: 'personal' }])
    })

  test('a change refuses the e-mail as the new password', async ({ client, assert }) => {
    const user = await createUser({ email: addressLikePassword() })
    const { headers } = await signedIn(client, user)
    const response = await client
      .post('/auth/change-password')
      .headers(headers)
      .json({ currentPassword: PASSWORD, newPassword: capitalized(user.email) })
    response.assertStatus(400)
    assert.containsSubset(response.body().errors, [{ field: 'newPassword', rule: 'personal' }])
  })

  test('a reset refuses the e-mail and keeps its token', async ({ client, assert }) => {
    const user = await createUser({ email: addressLikePassword() })
    const token = await db.transaction((trx) =>
      issueOneTimeToken(user, { purpose: 'password_reset' }, trx)
    )
    const reset = (newPassword: string) =>
      client
        .post('/auth/reset-password')
        .header('x-forwarded-for', someAddress())
        .json({ token, newPassword })
    const refused = await reset(capitalized(user.email))
    refused.assertStatus(400)
    assert.containsSubset(refused.body().errors, [{ field: 'newPassword', rule: 'personal' }])
    const accepted = await reset('Another-h0rse!')
    accepted.assertStatus(200)
  })

  test('the page of a mailed link tells it beside the field', async ({ client, assert }) => {
    const user = await createUser({ email: addressLikePassword() })
    const token = await db.transaction((trx) =>
      issueOneTimeToken(user, { purpose: 'password_reset' }, trx)
    )
    const page = await client
      .post('/reset-password')
      .form({ token, password: capitalized(user.email) })
    page.assertStatus(422)
    assert.include(page.text(), 'must not be the user’s e-mail address')
  })
})

test.group('Passwords | normal form', () => {
  const [composed, decomposed] = ['Caf\u00e9-h0rse!', 'Cafe\u0301-h0rse!']

  test('a login accepts the other form of a letter', async ({ client }) => {
    const user = await createUser({ password: composed })
    const response = await login(client, { email: user.email, password: decomposed })
    response.assertStatus(200)
  })

  test('a change to the other form changes nothing', async ({ client, assert }) => {
    const user = await createUser({ password: composed })
    const { headers } = await signedIn(client, user, { password: composed })
    const response = await client
      .post('/auth/change-password')
      .headers(headers)
      .json({ currentPassword: composed, newPassword: decomposed })
    response.assertStatus(400)
    assert.equal(response.body().code, 'E_SAME_PASSWORD')
  })
})

test.group('Passwords | chosen by an administrator', () => {
  test('POST /users asks for another one on request', async ({ client, assert }) => {
    const { headers } = await signedIn(client, await createAdmin())
    const email = someEmail()
    const created = await client
      .post('/users')
      .headers(headers)
      .json({ email, password: PASSWORD, mustChangePassword: true })
    created.assertStatus(201)
    const response = await login(client, { email })
    response.assertStatus(403)
    assert.equal(response.body().code, 'E_PASSWORD_CHANGE_REQUIRED')
  })
  test('opens nothing once another has replaced it', async ({ client, assert }) => {
    const user = await createUser()
    await user.merge({ mustChangePassword: true }).save()
    const hash = holdHash('verify', PASSWORD)
    const underWay = login(client, { email: user.email }).send()
    await hash.begun
    await setPassword(user, 'Another-h0rse!', { actor: SYSTEM, mustChange: true })
    hash.release()
    const refused = await underWay
    refused.assertStatus(401)
    assert.equal(refused.body().code, 'E_INVALID_CREDENTIALS')
    assert.isNull(await db.from('one_time_tokens').where('user_id', user.id).first())
  })
})
