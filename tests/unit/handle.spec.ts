import { test } from '@japa/runner'
import { handleOf, hashHandle, isHandle, MAX_HANDLE, numbered } from '#database/handle'
import { isReserved } from '#users/handles/claim_handle'

test.group('Handle | made of a name', () => {
  test('{username} becomes {handle}')
    .with([
      { username: 'ada', handle: 'ada' },
      { username: 'a.d_a-1', handle: 'a.d_a-1' },
      { username: 'ada-', handle: 'ada-' },
      { username: 'Ada Lovelace', handle: 'ada-lovelace' },
      { username: 'José Ñandú', handle: 'jose-nandu' },
      { username: 'Jürgen Groß', handle: 'jurgen-gross' },
      { username: 'Łukasz Ødegård', handle: 'lukasz-odegard' },
      { username: 'İpek', handle: 'ipek' },
      { username: 'ａｄｍｉｎ', handle: 'admin' },
      { username: 'ﬁona', handle: 'fiona' },
      { username: '  .ada', handle: 'ada' },
      { username: 'ada!!', handle: 'ada' },
      { username: 'ada@example.org', handle: 'ada-example.org' },
      { username: '=cmd|1', handle: 'cmd-1' },
      { username: 'Мария', handle: 'maria' },
      { username: '😀', handle: 'maria' },
      { username: 'a\u200Db', handle: 'a-b' },
      { username: '\u0430dmin', handle: 'dmin' },
    ])
    .run(({ assert }, { username, handle }) => {
      assert.equal(handleOf(username, 'Maria@example.org'), handle)
      assert.isTrue(isHandle(handle))
    })

  test('falls back where neither name nor address has a letter', ({ assert }) => {
    const made = [handleOf('Мария', 'мария@example.org'), handleOf('Мария', null)]
    assert.deepEqual(made, ['user', 'user'])
  })

  test('keeps to {length} characters')
    .with([{ length: 62 }, { length: 63 }, { length: 64 }])
    .run(({ assert }, { length }) => {
      const handle = handleOf('a'.repeat(length), null)
      assert.lengthOf(handle, Math.min(length, MAX_HANDLE))
      assert.equal(numbered(handle, 12).length, Math.min(length + 3, MAX_HANDLE))
    })
})

test.group('Handle | form', () => {
  test('{text} is none')
    .with(
      ['', 'Ada', '.ada', '-ada', 'a b', 'a/b', 'ä', 'a\n', 'a'.repeat(64)].map((text) => ({
        text,
      }))
    )
    .run(({ assert }, { text }) => {
      assert.isFalse(isHandle(text))
    })

  test('{name} is reserved')
    .with(
      ['admin', 'root', 'system', 'postmaster', 'a.d-min', 'www-data', 'user'].map((name) => ({
        name,
      }))
    )
    .run(({ assert }, { name }) => {
      assert.isTrue(isReserved(name))
    })

  test('a number makes it free', ({ assert }) => {
    assert.isFalse(isReserved('admin-2'))
  })
})

test.group('Handle | hash', () => {
  test('is keyed and tells handles apart', ({ assert }) => {
    assert.match(hashHandle('ada'), /^[\w-]{22}$/)
    assert.notEqual(hashHandle('ada'), hashHandle('adb'))
  })
})
