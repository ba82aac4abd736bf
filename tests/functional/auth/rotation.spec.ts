import { test } from '@japa/runner'
import tokens from '#config/tokens'
import { SYSTEM } from '#audit/actor'
import { editUser, type UserEdit } from '#users/edit_user'
import { createUser, decodeClaims, signedIn, someEmail } from '#tests/support/fixtures'
import type { ApiClient } from '@japa/api-client'

test.group('Refresh | rotation and another e-mail', (group) => {
  group.each.setup(() => {
    const { isRotating } = tokens
    tokens.isRotating = true
    return () => {
      tokens.isRotating = isRotating
    }
  })

  /** A session whose user may get another address or role. */
  async function startSession(client: ApiClient) {
    const user = await createUser()
    const { refreshToken } = await signedIn(client, user)
    const email = someEmail()
    return {
      refreshToken,
      email,
      change: (changes: UserEdit) => editUser(user.id, changes, SYSTEM),
    }
  }

  async function refresh(client: ApiClient, refreshToken: string) {
    const response = await client.post('/auth/refresh').json({ refreshToken })
    response.assertStatus(200)
    return response.body().refreshToken as string
  }

  test('a successor has the current e-mail', async ({ client, assert }) => {
    const { refreshToken, email, change } = await startSession(client)
    await change({ email })
    const successor = await refresh(client, refreshToken)
    assert.equal(decodeClaims(successor).email, email)
  })

  test('a repeated successor has the current e-mail', async ({ client, assert }) => {
    const { refreshToken, email, change } = await startSession(client)
    const before = decodeClaims(await refresh(client, refreshToken))
    await change({ email })
    const after = decodeClaims(await refresh(client, refreshToken))
    assert.notEqual(before.email, email)
    assert.deepEqual(after, { ...before, email })
  })

  test('a successor of either e-mail is exchanged', async ({ client, assert }) => {
    const { refreshToken, email, change } = await startSession(client)
    const first = await refresh(client, refreshToken)
    await change({ email })
    const again = await refresh(client, refreshToken)
    const next = [await refresh(client, first), await refresh(client, again)].map(decodeClaims)
    assert.equal(next[0].email, email)
    assert.deepEqual(next[0], next[1])
  })

  test('another role leaves no successor', async ({ client, assert }) => {
    const { refreshToken, change } = await startSession(client)
    await refresh(client, refreshToken)
    await change({ role: 'Admin' })
    const response = await client.post('/auth/refresh').json({ refreshToken })
    response.assertStatus(401)
    assert.equal(response.body().code, 'E_INVALID_REFRESH_TOKEN')
  })
})
