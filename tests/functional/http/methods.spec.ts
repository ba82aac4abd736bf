import { test } from '@japa/runner'
import { provedOn } from '#tests/support/proved_on'

provedOn('sqlite', 'The router answers, and reads nothing.')

test.group('HTTP | methods', () => {
  test('{method} {path} is not allowed')
    .with([
      { method: 'PUT', path: '/auth/login', allow: 'OPTIONS, POST' },
      { method: 'DELETE', path: '/api/v1/users', allow: 'GET, HEAD, OPTIONS, POST' },
      { method: 'POST', path: '/health', allow: 'GET, HEAD, OPTIONS' },
      { method: 'PUT', path: '/oauth/token', allow: 'OPTIONS, POST' },
    ])
    .run(async ({ client }, { method, path, allow }) => {
      const response = await client.request(path, method)
      response.assertStatus(405)
      response.assertHeader('allow', allow)
      response.assertBodyContains({ statusCode: 405, code: 'E_METHOD_NOT_ALLOWED' })
    })

  test('OPTIONS names the methods of {path}')
    .with([
      { path: '/auth/login', allow: 'OPTIONS, POST' },
      { path: '/oauth/token', allow: 'OPTIONS, POST' },
      { path: '/oauth/authorize', allow: 'GET, HEAD, OPTIONS, POST' },
      { path: '/.well-known/openid-configuration', allow: 'GET, HEAD, OPTIONS' },
    ])
    .run(async ({ client, assert }, { path, allow }) => {
      const response = await client.request(path, 'OPTIONS')
      response.assertStatus(204)
      response.assertHeader('allow', allow)
      assert.isUndefined(response.header('access-control-allow-origin'))
    })

  test('an unknown path stays unknown: {$self}')
    .with(['PUT', 'OPTIONS', 'GET'])
    .run(async ({ client }, method) => {
      const response = await client.request('/auth/nowhere', method)
      response.assertStatus(404)
    })
})
