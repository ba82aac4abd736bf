import { test } from '@japa/runner'
import documentation from '#config/documentation'
import { assertDocumentationPassword } from '#setup/environment/assertions'
import { someAddress } from '#tests/support/fixtures'
import type { ApiClient } from '@japa/api-client'

const PATHS = [
  { path: '/api-docs' },
  { path: '/api-docs-json' },
  { path: '/api-docs/swagger-ui-bundle.js' },
]

function withPassword(client: ApiClient, password: string, address = someAddress()) {
  const credentials = Buffer.from(`admin:${password}`).toString('base64')
  return client
    .get('/api-docs-json')
    .header('x-forwarded-for', address)
    .header('authorization', `Basic ${credentials}`)
}

test.group('Documentation | public', () => {
  test('{path} opens without a password')
    .with(PATHS)
    .run(async ({ client }, { path }) => {
      const response = await client.get(path)
      response.assertStatus(200)
    })

  test('the page runs only the scripts it names', async ({ client, assert }) => {
    const response = await client.get('/api-docs')
    const policy = response.header('content-security-policy')!
    const [, nonce] = /script-src 'nonce-([\w-]{22})'/.exec(policy)!
    assert.notMatch(policy, /unsafe|https?:/)
    assert.equal(response.text().split(`nonce="${nonce}"`).length, 6)
    assert.notMatch(response.text(), /<script(?![^>]*src=)|https?:\/\//)
  })

  test('an address with a slash at its end finds the same files', async ({ client, assert }) => {
    const pages = [await client.get('/api-docs'), await client.get('/api-docs/')]
    const [files, filesOfSlash] = pages.map((page) =>
      [...page.text().matchAll(/(?:href|src)="([^"]*api-docs[^"]*)"/g)].map(([, path]) => path)
    )
    assert.lengthOf(files, 6)
    const resolved = filesOfSlash.map(
      (path) => new URL(path, 'http://localhost/api-docs/').pathname
    )
    assert.deepEqual(
      resolved,
      files.map((path) => `/${path}`)
    )
  })

  test('its own texts are in {locale}')
    .with([
      { locale: 'en', title: 'API documentation' },
      { locale: 'de', title: 'API-Dokumentation' },
      { locale: 'fr', title: 'Documentation de l’API' },
      { locale: 'es', title: 'Documentación de la API' },
    ])
    .run(async ({ client, assert }, { locale, title }) => {
      const response = await client.get('/api-docs').header('accept-language', locale)
      assert.include(response.text(), `<html lang="${locale}">`)
      assert.include(response.text(), `<title>${title} · Gatehouse</title>`)
    })

  test('no file outside the documentation is sent', async ({ client }) => {
    for (const file of ['swagger-ui.js.map', 'package.json', '..%2f..%2fpackage.json']) {
      const response = await client.get(`/api-docs/${file}`)
      response.assertStatus(404)
    }
  })

  test('an unchanged file answers 304', async ({ client }) => {
    const first = await client.get('/api-docs/swagger-ui.css')
    const second = await client
      .get('/api-docs/swagger-ui.css')
      .header('if-none-match', first.header('etag')!)
    second.assertStatus(304)
  })
})

test.group('Documentation | off', (group) => {
  group.each.setup(() => {
    documentation.access = 'off'
    return () => {
      documentation.access = 'public'
    }
  })

  test('{path} is answered like an unknown path')
    .with(PATHS)
    .run(async ({ client, assert }, { path }) => {
      const response = await client.get(path)
      response.assertStatus(404)
      assert.equal(response.body().code, 'E_NOT_FOUND')
    })
})

test.group('Documentation | basic', (group) => {
  group.each.setup(() => {
    Object.assign(documentation, { access: 'basic', password: 'Read-the-d0cs!' })
    return () => {
      Object.assign(documentation, { access: 'public', password: undefined })
    }
  })

  test('{path} asks for a password')
    .with(PATHS)
    .run(async ({ client, assert }, { path }) => {
      const response = await client.get(path)
      response.assertStatus(401)
      assert.match(response.header('www-authenticate')!, /^Basic realm="/)
    })

  test('the right password opens the documentation', async ({ client }) => {
    const response = await withPassword(client, 'Read-the-d0cs!')
    response.assertStatus(200)
  })

  test('the password “{wrong}” does not open the documentation')
    .with([{ wrong: '' }, { wrong: 'Read-the-d0cs' }, { wrong: 'Read-the-d0cs!!' }])
    .run(async ({ client }, { wrong }) => {
      const response = await withPassword(client, wrong)
      response.assertStatus(401)
    })

  test('another user name does not open the documentation', async ({ client }) => {
    const credentials = Buffer.from('root:Read-the-d0cs!').toString('base64')
    const response = await client
      .get('/api-docs-json')
      .header('authorization', `Basic ${credentials}`)
    response.assertStatus(401)
  })

  test('guesses are limited, also in parallel', async ({ client, assert }) => {
    const address = someAddress()
    const tries = Array.from({ length: 25 }, () => withPassword(client, 'wrong', address))
    const responses = await Promise.all(tries)
    const statuses = responses.map((response) => response.status())
    assert.lengthOf(
      statuses.filter((status) => status === 401),
      20
    )
    const right = await withPassword(client, 'Read-the-d0cs!', address)
    right.assertStatus(429)
  })

  test('the product does not start without a password', ({ assert }) => {
    const settings = (values: Record<string, string>) => ({ get: (name: string) => values[name] })
    assert.throws(() => assertDocumentationPassword(settings({ API_DOCS: 'basic' })))
    const complete = { API_DOCS: 'basic', API_DOCS_PASSWORD: 'Read-the-d0cs!' }
    assert.doesNotThrow(() => assertDocumentationPassword(settings(complete)))
  })
})
