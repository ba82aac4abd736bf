import { test, timeTravel } from '@japa/runner'
import db from '@adonisjs/lucid/services/db'
import User from '#models/user'
import {
  createAdmin,
  createUser,
  login,
  PASSWORD,
  signedIn,
  someEmail,
} from '#tests/support/fixtures'

const NEW_PASSWORD = 'Another-h0rse!'

test.group('Profile', () => {
  test("the profile is the caller's own record", async ({ client, assert }) => {
    const user = await createUser()
    const { headers } = await signedIn(client, user)
    const response = await client.get('/auth/profile').headers(headers)
    assert.containsSubset(response.body(), { id: user.id, email: user.email, username: 'Ada' })
    assert.notProperty(response.body(), 'password')
    assert.equal(response.header('cache-control'), 'no-store')
  })

  test('a profile change shows in the next answer', async ({ client, assert }) => {
    const { headers } = await signedIn(client, await createUser())
    await client.get('/auth/profile').headers(headers)
    const changed = await client
      .put('/auth/profile')
      .headers(headers)
      .json({ username: 'Lovelace', nickname: 'Countess' })
    changed.assertStatus(200)
    const profile = await client.get('/auth/profile').headers(headers)
    assert.containsSubset(profile.body(), { username: 'Lovelace', nickname: 'Countess' })
  })

  test('a new e-mail address needs a recent proof', async ({ client, assert }) => {
    const user = await createUser()
    const { headers } = await signedIn(client, user)
    const email = someEmail()
    timeTravel('11 minutes')
    const refused = await client.put('/auth/profile').headers(headers).json({ email })
    refused.assertStatus(403)
    assert.equal(refused.body().code, 'E_RECENT_LOGIN_REQUIRED')
    const accepted = await client
      .put('/auth/profile')
      .headers(headers)
      .json({ email, currentPassword: PASSWORD })
    accepted.assertStatus(200)
    assert.containsSubset(accepted.body(), { email: user.email, pendingEmail: email })
  })

  test('a user changes their address ten times an hour', async ({ client, assert }) => {
    const { headers } = await signedIn(client, await createUser())
    const statuses = []
    for (let count = 1; count <= 11; count++) {
      const response = await client
        .put('/auth/profile')
        .headers(headers)
        .json({ email: someEmail(), currentPassword: PASSWORD })
      statuses.push(response.status())
    }
    assert.deepEqual(statuses, [...Array(10).fill(200), 429])
  })

  test('an e-mail address of another user is refused', async ({ client }) => {
    const { email } = await createUser()
    const { headers } = await signedIn(client, await createUser())
    const response = await client
      .put('/auth/profile')
      .headers(headers)
      .json({ email, currentPassword: PASSWORD })
    response.assertStatus(409)
  })

  test('a role in a profile change is ignored', async ({ client, assert }) => {
    const { headers } = await signedIn(client, await createUser())
    const response = await client.put('/auth/profile').headers(headers).json({ role: 'Admin' })
    assert.equal(response.body().role, 'User')
  })
})

test.group('Change password', () => {
  test('a new password ends every other session', async ({ client, assert }) => {
    const user = await createUser()
    const [mine, other] = [await signedIn(client, user), await signedIn(client, user)]
    const response = await client
      .post('/auth/change-password')
      .headers(mine.headers)
      .json({ currentPassword: PASSWORD, newPassword: NEW_PASSWORD })
    response.assertStatus(200)
    const kept = await client.get('/auth/profile').headers(mine.headers)
    kept.assertStatus(200)
    const ended = await client.get('/auth/profile').headers(other.headers)
    ended.assertStatus(401)
    const old = await login(client, { email: user.email })
    old.assertStatus(401)
    const renewed = await login(client, { email: user.email, password: NEW_PASSWORD })
    renewed.assertStatus(200)
    const mails = await db.from('mails').where({ user_id: user.id, kind: 'password_changed' })
    assert.lengthOf(mails, 1)
  })

  test('five wrong current passwords stop further guesses', async ({ client, assert }) => {
    const { headers } = await signedIn(client, await createUser())
    const change = (currentPassword: string) =>
      client
        .post('/auth/change-password')
        .headers(headers)
        .json({ currentPassword, newPassword: NEW_PASSWORD })
    for (let count = 1; count <= 5; count++) {
      const response = await change('Wrong-h0rse!')
      response.assertStatus(400)
      assert.equal(response.body().message, 'Current password is incorrect')
    }
    const sixth = await change(PASSWORD)
    sixth.assertStatus(429)
  })

  test('thirty right passwords in fifteen minutes are the limit', async ({ client, assert }) => {
    const { headers } = await signedIn(client, await createUser())
    const statuses = []
    for (let count = 1; count <= 31; count++) {
      const response = await client
        .post('/auth/change-password')
        .headers(headers)
        .json({ currentPassword: PASSWORD, newPassword: PASSWORD })
      statuses.push(response.status())
    }
    assert.deepEqual(statuses, [...Array(30).fill(400), 429])
  })

  test('the current password is refused as new one', async ({ client, assert }) => {
    const { headers } = await signedIn(client, await createUser())
    const response = await client
      .post('/auth/change-password')
      .headers(headers)
      .json({ currentPassword: PASSWORD, newPassword: PASSWORD })
    response.assertStatus(400)
    assert.equal(response.body().code, 'E_SAME_PASSWORD')
  })

  test('a new password must meet the policy', async ({ client, assert }) => {
    const { headers } = await signedIn(client, await createUser())
    const response = await client
      .post('/auth/change-password')
      .headers(headers)
      .json({ currentPassword: PASSWORD, newPassword: 'short' })
    response.assertStatus(400)
    assert.equal(response.body().errors[0].field, 'newPassword')
  })
})

test.group('Own user', () => {
  test('the export has everything except secrets', async ({ client, assert }) => {
    const user = await createUser()
    const { headers } = await signedIn(client, user)
    const response = await client.get('/auth/export').headers(headers)
    response.assertStatus(200)
    assert.equal(response.body().account.email, user.email)
    assert.lengthOf(response.body().sessions, 1)
    assert.lengthOf(response.body().knownDevices, 1)
    assert.deepEqual(response.body().identities, [])
    assert.isNotEmpty(response.body().activity)
    assert.notInclude(response.text(), 'argon2')
  })

  test('deleting oneself ends every session', async ({ client, assert }) => {
    const user = await createUser()
    const { headers } = await signedIn(client, user)
    const refused = await client
      .delete('/auth/account')
      .headers(headers)
      .json({ currentPassword: 'Wrong-h0rse!' })
    refused.assertStatus(400)
    const accepted = await client
      .delete('/auth/account')
      .headers(headers)
      .json({ currentPassword: PASSWORD })
    accepted.assertStatus(200)
    assert.isNull(await User.find(user.id))
    const profile = await client.get('/auth/profile').headers(headers)
    profile.assertStatus(401)
  })

  test('the last administrator cannot delete themselves', async ({ client, assert }) => {
    await db.from('users').where('role', 'Admin').update({ disabled_at: 1 })
    const admin = await createAdmin()
    const { headers } = await signedIn(client, admin)
    const response = await client
      .delete('/auth/account')
      .headers(headers)
      .json({ currentPassword: PASSWORD })
    response.assertStatus(409)
    assert.equal(response.body().code, 'E_LAST_ADMIN')
  })
})
