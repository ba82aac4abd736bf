import { test } from '@japa/runner'
import { provedOn } from '#tests/support/proved_on'

provedOn('sqlite', 'The router answers, and reads nothing.')

const BROWSER = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8'

test.group('Root of the site', () => {
  test('leads a browser to the account', async ({ client, assert }) => {
    const response = await client.get('/').header('accept', BROWSER).redirects(0)
    response.assertStatus(303)
    assert.equal(response.header('location'), '/account')
  })

  test('is JSON for a client of the API')
    .with(['application/json', '*/*'])
    .run(async ({ client, assert }, accept) => {
      const response = await client.get('/').header('accept', accept).redirects(0)
      response.assertStatus(404)
      assert.equal(response.body().code, 'E_NOT_FOUND')
    })
})
