import { test } from '@japa/runner'
import db from '@adonisjs/lucid/services/db'
import { v7 as uuidv7 } from 'uuid'
import { countMany } from '#users/list/cached_counts'
import { countListed, countUsers } from '#users/list/count'
import { countByRole } from '#users/list/user_query'
import { selectUsers } from '#users/list/filter'
import User from '#models/user'
import { createAdmin, createUser, signedIn } from '#tests/support/fixtures'
import type { ApiClient } from '@japa/api-client'

/** Letters that no other test uses, so that a search finds only the users of this test. */
function someTag() {
  return Array.from({ length: 12 }, () => 'bcdfghjklm'[Math.floor(Math.random() * 10)]).join('')
}

async function searching(client: ApiClient) {
  const { headers } = await signedIn(client, await createAdmin())
  return async (search: string) => {
    const response = await client.get('/users').qs({ search, limit: 100 }).headers(headers)
    response.assertStatus(200)
    const { data, meta } = response.body()
    return { ids: data.map(({ id }: User) => id), total: meta.total as number }
  }
}

/** Inserts many users in one statement, without the cost of a password. */
async function createMany(username: string, count: number) {
  const { id } = await createUser({ username, password: null })
  const row = await db.from('users').where('id', id).firstOrFail()
  const rows = Array.from({ length: count - 1 }, (_, index) => {
    const name = `${username}${index}`
    return { ...row, id: uuidv7(), email: `${name}@example.org`, handle: name }
  })
  for (let at = 0; at < rows.length; at += 200) {
    await db.table('users').multiInsert(rows.slice(at, at + 200))
  }
  return async () => {
    await User.query().where('username', username).delete()
  }
}

test.group('Users | search', () => {
  test('finds {stored} by {typed}')
    .with([
      { stored: 'Müller', typed: 'MÜLLER' },
      { stored: 'MÜLLER', typed: 'müller' },
      { stored: 'Özgür', typed: 'ÖZGÜR' },
      { stored: 'ß', typed: 'ß' },
      { stored: 'Ünal_50%\\x', typed: 'üNAL_50%\\X' },
      { stored: 'Ελένη', typed: 'ΕΛΈΝΗ' },
    ])
    .run(async ({ client, assert }, { stored, typed }) => {
      const find = await searching(client)
      const tag = someTag()
      const user = await createUser({ username: `${stored} ${tag}` })
      const { ids, total } = await find(`${typed} ${tag.toUpperCase()}`)
      assert.deepEqual([ids, total], [[user.id], 1])
    })

  test('finds nothing by {typed} in {stored}')
    .with([
      { stored: 'Muller', typed: 'Müller' },
      { stored: 'a50b', typed: 'a_0b' },
      { stored: 'straße', typed: 'strasse' },
    ])
    .run(async ({ client, assert }, { stored, typed }) => {
      const find = await searching(client)
      const tag = someTag()
      await createUser({ username: `${stored} ${tag}` })
      const { ids, total } = await find(`${typed} ${tag}`)
      assert.deepEqual([ids, total], [[], 0])
    })

  test('takes no product of both lengths on SQLite', async ({ assert }) => {
    const { query } = await selectUsers({ search: 'aaaaéèàù' })
    const { sql } = query().toSQL()
    assert.notMatch(sql, /\blike\b/i)
  }).skip(process.env.DB_CONNECTION === 'pg', 'Postgres compares in another process')

  test('finds a user by a pasted id', async ({ client, assert }) => {
    const find = await searching(client)
    const { id } = await createUser()
    for (const pasted of [id, id.toUpperCase(), ` ${id} `]) {
      const { ids } = await find(pasted)
      assert.deepEqual(ids, [id])
    }
  })

  test('reads {text} as nothing but text')
    .with([
      'a"b',
      'a*',
      'a AND b',
      'a OR b',
      'NEAR(a b)',
      '-ab',
      '^ab',
      'a:b',
      "a'b",
      'a\\b',
      '%_%',
    ])
    .run(async ({ client, assert }, text) => {
      const find = await searching(client)
      const tag = someTag()
      const wanted = await createUser({ username: `${tag}${text}` })
      await createUser({ username: `${tag}ab` })
      const { ids } = await find(`${tag.slice(3)}${text}`)
      assert.deepEqual(ids, [wanted.id])
    })

  test('finds a part of {length} characters')
    .with([{ length: 1 }, { length: 2 }, { length: 3 }, { length: 4 }, { length: 12 }])
    .run(async ({ client, assert }, { length }) => {
      const find = await searching(client)
      const tag = someTag()
      const user = await createUser({ username: `x${tag}` })
      const { ids, total } = await find(tag.slice(-length))
      assert.equal(total >= 1 && total <= 100, total === ids.length)
      if (total <= 100) assert.include(ids, user.id)
    })

  test('finds one by what is rare in a name that all share', async ({ client, assert }) => {
    const family = someTag()
    const users = []
    for (let count = 0; count < 60; count++) {
      users.push(await createUser({ username: `${family} ${someTag()}`, password: null }))
    }
    const find = await searching(client)
    const { ids, total } = await find(users[30].username)
    assert.deepEqual(ids, [users[30].id])
    assert.equal(total, 1)
    const all = await find(family)
    assert.equal(all.total, 60)
  })

  test('finds letters beyond ASCII and in any case', async ({ client, assert }) => {
    const find = await searching(client)
    const tag = someTag()
    const user = await createUser({ username: `${tag} Łódź 東京` })
    for (const text of [`${tag} Łódź`, 'ódź 東京', tag.toUpperCase()]) {
      const { ids } = await find(text)
      assert.include(ids, user.id)
    }
  })

  test('follows a new name at once', async ({ client, assert }) => {
    const find = await searching(client)
    const [before, after] = [someTag(), someTag()]
    const user = await createUser({ username: before })
    await User.query()
      .where('id', user.id)
      .update({ nickname: after, username: 'x', handle: after })
    const [old, renamed] = [await find(before), await find(after)]
    assert.deepEqual([old.ids, renamed.ids], [[], [user.id]])
  })

  test('does not find a deleted user', async ({ client, assert }) => {
    const find = await searching(client)
    const tag = someTag()
    const user = await createUser({ username: tag })
    await user.delete()
    const { total } = await find(tag)
    assert.equal(total, 0)
  })
})

test.group('Users | counts', () => {
  async function counted(role: string) {
    const [{ total }] = await db.from('users').where('role', role).count('* as total')
    return Number(total)
  }

  test('follow every change of a role', async ({ assert }) => {
    const users = await Promise.all(['User', 'User', 'Admin'].map((role) => createUser({ role })))
    await User.query().where('id', users[0].id).update({ role: 'Admin' })
    await users[1].delete()
    for (const role of ['User', 'Admin']) assert.equal(await countByRole(role), await counted(role))
    const [{ total }] = await db.from('users').count('* as total')
    assert.equal(await countByRole(), Number(total))
  })

  test('keep their values after a rollback', async ({ assert }) => {
    const before = await countByRole()
    await db
      .transaction(async (trx) => {
        await trx.from('users').where('role', 'Admin').update({ role: 'User' })
        throw new Error('not this time')
      })
      .catch(() => {})
    assert.equal(await countByRole(), before)
    assert.equal(await countByRole('Admin'), await counted('Admin'))
  })

  test('of a list stop at its limit, beyond a thousand', async ({ assert, cleanup }) => {
    const search = someTag()
    cleanup(await createMany(search, 1_003))
    const selection = await selectUsers({ search })
    assert.equal(await countListed(selection, 1_002), 1_002)
    assert.equal(await countListed(selection, 1_003), 1_003)
    assert.equal(await countListed(selection, 1_004), 1_003)
    assert.equal(await countUsers(selection), 1_003)
    const all = await countListed(await selectUsers({}), 1)
    assert.equal(all, await countByRole())
  })

  test('are cached only beyond a thousand', async ({ assert }) => {
    const asked: (number | undefined)[] = []
    const countAs = (number: number) => (limit?: number) => {
      asked.push(limit)
      return Promise.resolve(Math.min(number, limit ?? number))
    }
    const key = someTag()
    assert.equal(await countMany(key, countAs(1_000)), 1_000)
    assert.equal(await countMany(key, countAs(1_001)), 1_001)
    assert.equal(await countMany(key, countAs(5)), 1_001)
    assert.deepEqual(asked, [1_001, 1_001, undefined])
  })
})
