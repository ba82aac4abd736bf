import { test } from '@japa/runner'
import { provedOn } from '#tests/support/proved_on'

provedOn('sqlite', 'The router answers, and reads nothing.')

const BROWSER = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8'

test.group('Root of the site', () => {
  test('leads to the account: {$self}')
    .with([BROWSER, '*/*'])
    .run(async ({ client, assert }, accept) => {
      const response = await client.get('/').header('accept', accept).redirects(0)
      response.assertStatus(303)
      assert.equal(response.header('location'), '/account')
    })

  test('is JSON for a client that accepts nothing else', async ({ client, assert }) => {
    const response = await client.get('/').header('accept', 'application/json').redirects(0)
    response.assertStatus(404)
    assert.equal(response.body().code, 'E_NOT_FOUND')
  })
})
