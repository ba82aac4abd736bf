import { test } from '@japa/runner'
import { SYSTEM, userActor } from '#audit/actor'
import { disableUser, enableUser } from '#users/disable_user'
import {
  createAdmin,
  createUser,
  login,
  signedIn,
  someAddress,
  someEmail,
} from '#tests/support/fixtures'

test.group('Audit events', () => {
  test('name the actor, the action and the target', async ({ client, assert }) => {
    const admin = await createAdmin()
    const user = await createUser()
    const { headers } = await signedIn(client, admin, { address: '198.51.100.9' })
    await client.post(`/users/${user.id}/lock`).headers(headers)
    const response = await client
      .get('/audit-events')
      .qs({ target: user.id, action: 'account.locked' })
      .headers(headers)
    response.assertStatus(200)
    assert.equal(response.body().meta.total, 1)
    assert.containsSubset(response.body().data[0], {
      action: 'account.locked',
      outcome: 'success',
      actor: `user:${admin.id}`,
      actorId: admin.id,
      targetId: user.id,
    })
  })

  test('refuse a wrong filter by its field', async ({ client, assert }) => {
    const { headers } = await signedIn(client, await createAdmin())
    for (const [field, value] of Object.entries({ from: 'yesterday', outcome: 'maybe', page: 0 })) {
      const response = await client
        .get('/audit-events')
        .qs({ [field]: value })
        .headers(headers)
      response.assertStatus(400)
      assert.equal(response.body().errors[0].field, field)
    }
  })

  test('are found by the address that they came from', async ({ client, assert }) => {
    const { headers } = await signedIn(client, await createAdmin())
    const address = someAddress()
    await login(client, { email: someEmail(), password: 'Wrong-h0rse!', address })
    const response = await client.get('/audit-events').qs({ ip: address }).headers(headers)
    assert.equal(response.body().meta.total, 1)
    assert.containsSubset(response.body().data, [{ action: 'login.failed', ip: address }])
  })

  test('tell the user that they were disabled, and not why', async ({ client, assert }) => {
    const user = await createUser()
    const admin = await createAdmin()
    const actor = userActor(admin.id, { ip: '203.0.113.9', userAgent: null })
    await disableUser(user.id, { reason: 'left the company' }, actor)
    await enableUser(user.id, SYSTEM)
    const { headers } = await signedIn(client, user)
    const response = await client.get('/auth/activity').headers(headers)
    const events = response.body().data as { action: string; details: object }[]
    const { details } = events.find(({ action }) => action === 'account.disabled')!
    assert.deepEqual(details, { disabled: { before: false, after: true } })
  })

  test('are shown to the user whom they concern', async ({ client, assert }) => {
    const user = await createUser()
    const { headers } = await signedIn(client, user)
    await login(client, { email: user.email, password: 'Wrong-h0rse!' })
    const response = await client.get('/auth/activity').headers(headers)
    assert.deepEqual(
      response.body().data.map((event: { action: string }) => event.action),
      ['login.failed', 'login.succeeded']
    )
  })
})

test.group('Audit events | of others', () => {
  test('hide the address and device of an administrator', async ({ client, assert }) => {
    const admin = await createAdmin()
    const user = await createUser()
    const { headers } = await signedIn(client, admin)
    await client
      .put(`/users/${user.id}`)
      .headers(headers)
      .header('user-agent', 'the browser of the admin')
      .json({ nickname: 'Countess' })
    const own = await signedIn(client, user)
    for (const path of ['/auth/activity', '/auth/export']) {
      const response = await client.get(path).headers(own.headers)
      assert.include(response.text(), 'account.updated')
      assert.notInclude(response.text(), 'the browser of the admin')
      assert.notInclude(response.text(), admin.id)
    }
  })
})
