import { test } from '@japa/runner'
import { nextPath } from '#pages/sign_in/next_path'

test.group('Next path', () => {
  test('keeps a path of this site with its query')
    .with([
      '/account',
      '/admin/users?limit=50&search=a%2Fb',
      '/a/../admin',
      '/ä?q=ö',
      '/api-docs',
      '/oauth/authorize?x=1',
      '/a%',
    ])
    .run(({ assert }, path) => {
      const { pathname, search } = new URL(path, 'http://gatehouse.test')
      assert.equal(nextPath(path), pathname + search)
    })

  test('leads to the list instead of an export of it')
    .with([
      { path: '/admin/users.csv', to: '/admin/users' },
      {
        path: '/admin/users.csv?search=a%2Fb&role=Admin',
        to: '/admin/users?search=a%2Fb&role=Admin',
      },
      { path: '/admin/users%2Ecsv', to: '/admin/users' },
      { path: '/ADMIN/x/../users.CSV/', to: '/admin/users' },
    ])
    .run(({ assert }, { path, to }) => {
      assert.equal(nextPath(path), to)
    })

  test('leads home instead of anywhere else')
    .with([
      undefined,
      '',
      'account',
      '//evil.example',
      '///evil.example',
      '/\\evil.example',
      '\\\\evil.example',
      '/.//evil.example',
      '/a/..//evil.example',
      '/\t/evil.example',
      '/\n/evil.example',
      ' //evil.example',
      '/a\u0000b',
      '/a\u0085b',
      'https://evil.example/account',
      'http://gatehouse.test@evil.example/',
      'javascript:alert(1)',
      'data:text/html,x',
      ['/account'],
      { path: '/account' },
      '/auth/external/google?next=/account',
      '/api/auth/external/google',
      '/API/v1/auth/external/google',
      '/account/../auth/external/google',
      '/%61uth/external/google',
      '/auth%2Fexternal/google',
      `/${'a'.repeat(2_048)}`,
    ])
    .run(({ assert }, path) => {
      assert.equal(nextPath(path), '/account')
    })
})
