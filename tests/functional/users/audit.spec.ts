import { test } from '@japa/runner'
import db from '@adonisjs/lucid/services/db'
import { verifyTrail } from '#audit/verification'
import { createAdmin, createUser, login, signedIn } from '#tests/fixtures'

test.group('Audit events', () => {
  test('tell who did what to whom', async ({ client, assert }) => {
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

  test('are shown to whom they concern', async ({ client, assert }) => {
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

test.group('Audit trail', () => {
  test('is whole after everything before', async ({ assert }) => {
    const verdict = await verifyTrail()
    assert.isTrue(verdict.isWhole, JSON.stringify(verdict))
  })

  test('cannot be changed or emptied', async ({ assert }) => {
    await assert.rejects(() => db.from('audit_events').update({ actor: 'nobody' }), /append-only/)
    await assert.rejects(() => db.from('audit_events').delete(), /append-only/)
  })
})
