import { test } from '@japa/runner'
import passwords from '#config/passwords'
import { readBlocklist } from '#auth/passwords/blocklist'
import { brokenRules } from '#auth/passwords/policy'
import { namesOwner } from '#auth/passwords/new_password'
import { hashPassword, isHashOutdated, verifyPassword } from '#auth/passwords/password_hash'

test.group('Password policy', () => {
  test('a password that meets every rule breaks none', ({ assert }) => {
    assert.deepEqual(brokenRules('Correct-h0rse!'), [])
  })

  test('{password} breaks {count} rules')
    .with([
      { password: 'Aa1!aaa', count: 1 },
      { password: 'aa1!aaaa', count: 1 },
      { password: 'AA1!AAAA', count: 1 },
      { password: 'Aaa!aaaa', count: 1 },
      { password: 'Aaa1aaaa', count: 1 },
      { password: 'Aaa1-aaa', count: 1 },
      { password: '', count: 5 },
    ])
    .run(({ assert }, { password, count }) => {
      assert.lengthOf(brokenRules(password), count)
    })

  test('a password that is far too long is told so alone', ({ assert }) => {
    const marks = '\u0301\u0323'.repeat(2 * passwords.maxLength + 1)
    assert.deepEqual(
      brokenRules(marks).map(({ rule }) => rule),
      ['maxLength']
    )
  })

  test('the first guess is refused without the list', ({ assert }) => {
    assert.deepEqual(
      brokenRules('Password1!').map(({ rule }) => rule),
      ['blocklist']
    )
  })

  test('{password} is only like the first guess')
    .with(
      ['Passw0rd!', 'Password1!!', 'password1!A', 'Password12!'].map((password) => ({ password }))
    )
    .run(({ assert }, { password }) => {
      assert.deepEqual(brokenRules(password), [])
    })

  test('{password} names its user')
    .with(
      ['Ada.1815@example.org', 'aDA.1815', 'Ada Lovelace', ' ada lovelace '].map((password) => ({
        password,
      }))
    )
    .run(({ assert }, { password }) => {
      assert.isTrue(namesOwner(password, OWNER))
    })

  test('{password} does not name its user')
    .with(['Ada.1815!', 'example.org', 'Correct-h0rse!'].map((password) => ({ password })))
    .run(({ assert }, { password }) => {
      assert.isFalse(namesOwner(password, OWNER))
    })
})

const OWNER = { email: 'ada.1815@example.org', username: 'Ada Lovelace' }

test.group('Password blocklist', () => {
  test('{password} is blocked bare or decorated')
    .with(['password', 'PASSWORD', 'Password1!', 'P@ssw0rd', '!Dragon2024', '12345678'])
    .run(async ({ assert }, password) => {
      const isBlocked = await readBlocklist()
      assert.isTrue(isBlocked(password))
    })

  test('{password} is not blocked')
    .with(['Correct-h0rse!', 'dragon-and-a-horse', 'dragon836294617', '#!$%&*(,+~'])
    .run(async ({ assert }, password) => {
      const isBlocked = await readBlocklist()
      assert.isFalse(isBlocked(password))
    })
})

const COMPOSED = 'Caf\u00e9-h0rse!'
const DECOMPOSED = 'Cafe\u0301-h0rse!'

test.group('Password hash', () => {
  test('a composed and a decomposed letter are one password', async ({ assert }) => {
    assert.isTrue(await verifyPassword(await hashPassword(COMPOSED), DECOMPOSED))
    assert.isTrue(await verifyPassword(await hashPassword(DECOMPOSED), COMPOSED))
    assert.isFalse(await verifyPassword(await hashPassword(COMPOSED), 'Cafe-h0rse!'))
  })

  test('an imported hash of a decomposed letter matches it', async ({ assert }) => {
    const { default: bcrypt } = await import('bcrypt')
    const hash = await bcrypt.hash(DECOMPOSED, 10)
    assert.isTrue(await verifyPassword(hash, DECOMPOSED))
  })

  test('a new hash is argon2id with the configured cost', async ({ assert }) => {
    assert.match(await hashPassword('Correct-h0rse!'), /^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
  })

  test('a hash matches its own password only', async ({ assert }) => {
    const hash = await hashPassword('Correct-h0rse!')
    assert.isTrue(await verifyPassword(hash, 'Correct-h0rse!'))
    assert.isFalse(await verifyPassword(hash, 'Correct-h0rse! '))
    assert.isFalse(await verifyPassword(null, 'Correct-h0rse!'))
    assert.isFalse(isHashOutdated(hash))
  })
})
