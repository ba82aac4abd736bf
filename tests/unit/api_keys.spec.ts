import { crc32 } from 'node:zlib'
import { test } from '@japa/runner'
import { generateKey, keyIdOf } from '#auth/api_keys/key_format'
import { SCOPES, scopesOf } from '#auth/api_keys/scopes'

const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

const valueOf = (digits: string) =>
  [...digits].reduce((value, digit) => value * 62 + BASE62.indexOf(digit), 0)

test.group('API key | format', () => {
  test('names its id, its secret and its checksum', ({ assert }) => {
    const { id, key } = generateKey()
    assert.match(key, /^gh_[A-Za-z0-9]{16}_[A-Za-z0-9]{43}_[A-Za-z0-9]{6}$/)
    assert.equal(keyIdOf(key), id)
  })

  test('the checksum is the CRC-32 before it', ({ assert }) => {
    for (let count = 0; count < 200; count++) {
      const { key } = generateKey()
      assert.equal(valueOf(key.slice(-6)), crc32(key.slice(0, -6)))
    }
  })

  test('one changed character makes it no key', ({ assert }) => {
    const { key } = generateKey()
    for (let at = 0; at < key.length; at++) {
      const other = key[at] === 'a' ? 'b' : 'a'
      assert.isNull(keyIdOf(key.slice(0, at) + other + key.slice(at + 1)))
    }
  })

  test('“{$self}” is no key')
    .with(['', 'gh_', 'gh___', 'x'.repeat(70), `${generateKey().key}\n`, ` ${generateKey().key}`])
    .run(({ assert }, text) => {
      assert.isNull(keyIdOf(text))
    })

  test('no two of a thousand share a secret', ({ assert }) => {
    const secrets = Array.from({ length: 1_000 }, () => generateKey().key.split('_')[2])
    assert.lengthOf(new Set(secrets), 1_000)
  })
})

test.group('API key | scopes of a role', () => {
  test('an administrator may give every scope', ({ assert }) => {
    assert.sameMembers([...scopesOf({ role: 'Admin', kind: 'person' })], [...SCOPES])
  })

  test('the role {$self} gives its own profile and sessions')
    .with(['User', 'Editor', '', 'admin'])
    .run(({ assert }, role) => {
      const own = ['profile:read', 'sessions:read', 'sessions:write']
      assert.sameMembers([...scopesOf({ role, kind: 'person' })], own)
    })

  test('a service account may also ask about tokens', ({ assert }) => {
    assert.include(scopesOf({ role: 'User', kind: 'service' }), 'tokens:introspect')
    assert.notInclude(scopesOf({ role: 'User', kind: 'service' }), 'users:read')
  })
})
