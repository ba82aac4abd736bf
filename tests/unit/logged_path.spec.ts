import { test } from '@japa/runner'
import { loggedPath } from '#http/log/requests'

test.group('Log | path of a request', () => {
  test('{url} is {path}')
    .with([
      { url: '/auth/login', path: '/auth/login' },
      { url: '/auth/verify-email?token=secret', path: '/auth/verify-email' },
      { url: '/admin/users/0199f3a2-77aa-7c11-8d2e-0f0e6a7b1c2d', path: '/admin/users/:id' },
      {
        url: '/oauth/interaction/x8KJ2mQw0pLzN4vTb1Ac9/abort',
        path: '/oauth/interaction/:id/abort',
      },
      { url: '/oauth/authorize/xKJmQwpLzNvTbAcQe', path: '/oauth/authorize/:id' },
      { url: '/.well-known/openid-configuration', path: '/.well-known/openid-configuration' },
      { url: '/users/ada@example.org', path: '/users/:id' },
      { url: '/users/a@b.de', path: '/users/:id' },
      { url: '/users/a%40b.de', path: '/users/:id' },
      { url: '/x/eyJhbGciOiJIUzI1NiJ9.e30.abc', path: '/x/:id' },
      {
        url: '/.well-known/oauth-authorization-server',
        path: '/.well-known/oauth-authorization-server',
      },
    ])
    .run(({ assert }, { url, path }) => {
      assert.equal(loggedPath(url), path)
    })

  test('a path of {characters} letters is {logged} of them long')
    .with([
      { characters: 499, logged: 499 },
      { characters: 500, logged: 500 },
      { characters: 501, logged: 500 },
    ])
    .run(({ assert }, { characters, logged }) => {
      const path = `/${'a'.repeat(characters - 1)}`
      assert.equal(loggedPath(path).replace('…', ''), path.slice(0, logged))
    })

  test('a long path takes no more time than its length', ({ assert }) => {
    const begun = performance.now()
    for (let at = 0; at < 20; at++) loggedPath(`/${'a'.repeat(15_500)}`)
    assert.isBelow(performance.now() - begun, 500)
  })
})
