import { test } from '@japa/runner'
import { provedOn } from '#tests/support/proved_on'

provedOn('sqlite', 'The router answers, and reads nothing.')

const BROWSER = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8'
const PATHS = ['/nowhere', '/api/nowhere', '/accounts', '/favicon.ico']

test.group('Not found', () => {
  test('is a page with a way on in a browser: {$self}')
    .with(PATHS)
    .run(async ({ client, assert }, path) => {
      const request = client.get(path).header('accept', BROWSER)
      const response = await request.header('accept-language', 'de')
      response.assertStatus(404)
      assert.include(response.header('content-type')!, 'text/html')
      assert.include(response.header('content-security-policy')!, "default-src 'none'")
      assert.include(response.text(), '<html lang="de">')
      assert.include(response.text(), 'href="/account"')
    })

  test('is JSON for a client of the API: {$self}')
    .with([
      'application/json',
      '*/*',
      'application/problem+json',
      'application/json, text/html;q=0.5',
    ])
    .run(async ({ client, assert }, accept) => {
      for (const path of PATHS) {
        const response = await client.get(path).header('accept', accept)
        response.assertStatus(404)
        assert.equal(response.body().code, 'E_NOT_FOUND')
      }
    })
})
