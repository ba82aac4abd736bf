import { test } from '@japa/runner'
import * as oidc from 'openid-client'
import db from '@adonisjs/lucid/services/db'
import User from '#models/user'
import settings from '#config/oidc'
import { SYSTEM } from '#audit/actor'
import { markHandleReceived, markHandlesReceived } from '#users/handles/mark_received'
import { updateUser } from '#users/update_user'
import { bearer, createAdmin, createUser, signedIn } from '#tests/support/fixtures'
import { application, browserOf, tokensOf } from '#tests/support/oidc'

async function userInfoOf(user: User, scope: string) {
  const app = await application({ kind: 'first_party' })
  const tokens = await tokensOf(app, await browserOf(user), { scope })
  return oidc.fetchUserInfo(app.config, tokens.access_token, user.id)
}

async function receivedAt({ id }: User) {
  const { handleReceivedAt } = await User.findOrFail(id)
  return handleReceivedAt ?? null
}

test.group('OpenID provider | handle', () => {
  test('names the account, and the display name the user', async ({ assert }) => {
    const user = await createUser({ username: 'Ada Lovelace' })
    await updateUser(user.id, { nickname: 'Countess' }, SYSTEM)
    const claims = await userInfoOf(user, 'openid profile')
    const { name, nickname, preferred_username: preferred } = claims
    assert.deepEqual([name, nickname, preferred], ['Countess', user.handle, user.handle])
  })

  test('without a display name the username is the name', async ({ assert }) => {
    const user = await createUser({ username: 'Ada Lovelace' })
    const { name } = await userInfoOf(user, 'openid profile')
    assert.equal(name, 'Ada Lovelace')
  })

  test('its owner changes it no more once it was received', async ({ client, assert }) => {
    const user = await createUser()
    const { headers } = await signedIn(client, user)
    await userInfoOf(user, 'openid email')
    assert.isNull(await receivedAt(user))
    await userInfoOf(user, 'openid profile')
    assert.isNotNull(await receivedAt(user))
    const handle = `h${user.id}`
    const response = await client.put('/auth/profile').headers(headers).json({ handle })
    response.assertStatus(403)
    assert.equal(response.body().code, 'E_HANDLE_IN_USE')
  })

  test('is received by a request of an application too: {$self}')
    .with(['/auth/profile', '/users?search=:id', '/api/v2/users?search=:id', '/users/:id'])
    .run(async ({ client, assert }, path) => {
      const user = await createAdmin()
      await updateUser(user.id, { nickname: user.id }, SYSTEM)
      const app = await application({ kind: 'first_party', scopes: ['openid', 'users:read'] })
      const asked = { scope: 'openid users:read', resource: settings.issuer }
      const { access_token: token } = await tokensOf(app, await browserOf(user), asked)
      const ask = (by: string) => client.get(path.replace(':id', user.id)).headers(bearer(by))
      const { accessToken } = await signedIn(client, user)
      await ask(accessToken)
      const before = await receivedAt(user)
      const response = await ask(token)
      response.assertStatus(200)
      const { data, ...record } = response.body()
      assert.equal((data?.[0] ?? record).id, user.id)
      assert.deepEqual([before, (await receivedAt(user)) !== null], [null, true])
    })

  test('is noted once, and changes no time of the record', async ({ assert }) => {
    const user = await createUser()
    const { updatedAt } = await User.findOrFail(user.id)
    await userInfoOf(user, 'openid profile')
    const first = await User.findOrFail(user.id)
    await userInfoOf(user, 'openid profile')
    const second = await User.findOrFail(user.id)
    assert.equal(second.versionId, first.versionId)
    assert.equal(first.updatedAt.toMillis(), updatedAt.toMillis())
  })

  test('a change at the same moment is what a list has', async ({ assert }) => {
    const [user, other] = [await createUser(), await createUser()]
    const handle = `h${user.id}`
    await updateUser(user.id, { handle }, SYSTEM)
    const lists = await Promise.all([
      markHandlesReceived([user, other]),
      markHandlesReceived([other, user]),
    ])
    const handles = lists.flat().map((each) => each.handle)
    assert.deepEqual(handles, [handle, other.handle, other.handle, handle])
    assert.isNotNull(await receivedAt(other))
  })

  test('a change at the same moment is what the application receives', async ({ assert }) => {
    const user = await createUser()
    const handle = `h${user.id}`
    await updateUser(user.id, { handle }, SYSTEM)
    const marked = await markHandleReceived(user)
    assert.equal(marked.handle, handle)
    const row = await db.from('users').where('id', user.id).firstOrFail()
    assert.isNotNull(row.handle_received_at)
  })
})
