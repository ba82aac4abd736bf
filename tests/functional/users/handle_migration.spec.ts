import { test } from '@japa/runner'
import { v7 as uuidv7 } from 'uuid'
import db from '@adonisjs/lucid/services/db'
import CreateHandles from '#database/migrations/0045_create_handles'
import SearchHandles from '#database/migrations/0046_search_handles'
import { hashHandle } from '#database/handle'
import { someEmail } from '#tests/support/fixtures'
import type { Transaction } from '#database/transaction'

interface EarlierUser {
  username: string
  email?: string
  role?: string
  kind?: string
}

let age = 0

function insertEarlier({ username, email = someEmail(), ...given }: EarlierUser, trx: Transaction) {
  const at = ++age
  const times = { password_changed_at: at, created_at: at, updated_at: at }
  return trx.table('users').insert({ id: uuidv7(), username, email, ...times, ...given })
}

/** Undoes the migrations, adds the users and migrates again. Everything is rolled back. */
async function migrated(users: EarlierUser[]) {
  const trx = await db.transaction()
  try {
    await new SearchHandles(trx, '0046', false).execDown()
    await new CreateHandles(trx, '0045', false).execDown()
    await trx.from('users').delete()
    for (const user of users) await insertEarlier(user, trx)
    await new CreateHandles(trx, '0045', false).execUp()
    await new SearchHandles(trx, '0046', false).execUp()
    const rows = await trx.from('users').orderBy('created_at').select('handle')
    const hashes = await trx.from('handles').select('hash')
    return {
      handles: rows.map(({ handle }) => handle as string),
      hashes: new Set(hashes.map(({ hash }) => hash)),
    }
  } finally {
    await trx.rollback()
  }
}

test.group('Handles | users of an earlier release', () => {
  test('a plain and unique username stays, then the oldest comes first', async ({ assert }) => {
    const { handles, hashes } = await migrated([
      { username: 'Ada' },
      { username: 'ADA' },
      { username: 'ada' },
      { username: 'bob' },
      { username: 'bob' },
      { username: 'Мария', email: 'Maria.K@example.org' },
      { username: 'bob-2' },
      { username: 'Bob' },
    ])
    const expected = ['ada-2', 'ada-3', 'ada', 'bob', 'bob-3', 'maria.k', 'bob-2', 'bob-4']
    assert.deepEqual(handles, expected)
    assert.deepEqual(hashes, new Set(expected.map(hashHandle)))
  })

  test('the name of a role is for administrators and services', async ({ assert }) => {
    const { handles } = await migrated([
      { username: 'admin' },
      { username: 'root', role: 'Admin' },
      { username: 'backup', kind: 'service' },
      { username: 'Support' },
    ])
    assert.deepEqual(handles, ['admin-2', 'root', 'backup', 'support-2'])
  })

  test('more users than a batch of one name differ', async ({ assert }) => {
    const users = Array.from({ length: 2_001 }, (_, at) => ({ username: at % 2 ? 'Eve' : 'eve' }))
    const { handles } = await migrated(users)
    assert.lengthOf([...new Set(handles)], 2_001)
    assert.deepEqual(handles.slice(0, 3), ['eve', 'eve-2', 'eve-3'])
  }).timeout(60_000)
})
