import { randomUUID } from 'node:crypto'
import { test } from '@japa/runner'
import { createClient } from '#oidc/clients/clients'
import { clientActor, SYSTEM, userActor } from '#audit/actor'
import db from '@adonisjs/lucid/services/db'
import { record } from '#events/record'
import { createAdmin, createUser, signedIn } from '#tests/support/fixtures'

test.group('Audit trail | applications as actors', () => {
  test('ids that are one UUID in other capitals are two applications', async ({
    client,
    assert,
  }) => {
    const id = `a${randomUUID().slice(1)}`
    const user = await createUser()
    const from = { ip: '203.0.113.9', userAgent: null }
    for (const clientId of [id, id.toUpperCase()]) {
      const uris = { redirectUris: ['https://app.example.org/cb'] }
      await createClient({ name: clientId, clientId, ...uris }, SYSTEM)
      const actor = clientActor(clientId, userActor(user.id, from))
      const details = { sessionId: randomUUID() }
      await db.transaction((trx) => record(trx, { type: 'session.ended', user, actor, details }))
    }
    const { headers } = await signedIn(client, await createAdmin())
    for (const actor of [`client:${id}`, `client:${id.toUpperCase()}`]) {
      const found = await client.get('/audit-events').headers(headers).qs({ actor })
      assert.deepEqual(
        found.body().data.map((event: { actor: string }) => event.actor),
        [actor]
      )
    }
  })
})
