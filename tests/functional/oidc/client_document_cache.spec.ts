import { freezeTime, test, timeTravel } from '@japa/runner'
import db from '@adonisjs/lucid/services/db'
import limits from '#config/limits'
import { pruneExpired } from '#maintenance/prune_expired'
import {
  allow,
  documents,
  INTERACTION,
  pageOf,
  withDocuments,
} from '#tests/support/client_documents'

test.group('Client metadata document | how often it is read', (group) => {
  withDocuments(group)
  group.each.setup(() => db.from('oauth_client_documents').delete() as any)

  test('it is read anew when it is no longer fresh')
    .with([
      { age: 599, reads: 1 },
      { age: 601, reads: 2 },
    ])
    .run(async ({ assert }, { age, reads }) => {
      freezeTime()
      const control = { 'cache-control': 'max-age=600' }
      const clientId = documents.serve('/client.json', {}, control)
      await pageOf(clientId)
      timeTravel(age * 1_000)
      await pageOf(clientId)
      assert.equal(documents.requests, reads)
    })

  test('it goes on for a day while its server is down')
    .with([
      { hours: 24.9, isUsed: true },
      { hours: 25.1, isUsed: false },
    ])
    .run(async ({ assert }, { hours, isUsed }) => {
      freezeTime()
      const clientId = documents.serve('/client.json')
      await pageOf(clientId)
      documents.answers.set('/client.json', (_, response) => response.writeHead(503).end())
      timeTravel(hours * 3_600_000)
      const { page } = await pageOf(clientId)
      assert.equal(INTERACTION.test(page.url.pathname), isUsed)
    })

  test('one that was taken away is used no more', async ({ assert }) => {
    freezeTime()
    const clientId = documents.serve('/client.json')
    await pageOf(clientId)
    documents.answers.clear()
    timeTravel(3_601_000)
    const { page } = await pageOf(clientId)
    assert.include(page.html, 'did not answer with status 200')
    assert.isEmpty(await db.from('oauth_client_documents'))
  })

  test('requests at once share one reading', async ({ assert }) => {
    const clientId = documents.serve('/client.json')
    await Promise.all(Array.from({ length: 10 }, () => pageOf(clientId)))
    assert.equal(documents.requests, 1)
  })

  test('a failure is read once for each request', async ({ assert }) => {
    await pageOf(documents.url('/client.json'))
    assert.equal(documents.requests, 1)
  })

  test('so many are kept, and all that people consented to', async ({ assert, cleanup }) => {
    const { clientDocuments } = limits
    limits.clientDocuments = 2
    cleanup(() => void Object.assign(limits, { clientDocuments }))
    freezeTime()
    const allowed = await pageOf(documents.serve('/allowed'))
    await allow(allowed.browser, allowed.page)
    for (const path of ['/1', '/2', '/3']) {
      timeTravel(1_000)
      await pageOf(documents.serve(path))
    }
    const rows = await db.from('oauth_client_documents').orderBy('client_id')
    const paths = rows.map((row) => new URL(row.client_id).pathname)
    assert.deepEqual(paths, ['/2', '/3', '/allowed'])
  })

  test('expired ones are removed', async ({ assert }) => {
    freezeTime()
    await pageOf(documents.serve('/client.json'))
    timeTravel(26 * 3_600_000)
    await pruneExpired()
    assert.isEmpty(await db.from('oauth_client_documents'))
  })
})
