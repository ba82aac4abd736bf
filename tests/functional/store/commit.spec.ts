import { test } from '@japa/runner'
import db from '@adonisjs/lucid/services/db'

test.group('Transaction | commit', (group) => {
  group.setup(async () => {
    await db.rawQuery(`CREATE TABLE probes (
      id integer PRIMARY KEY,
      parent_id integer REFERENCES probes (id) DEFERRABLE INITIALLY DEFERRED
    )`)
  })
  group.teardown(async () => {
    await db.rawQuery('DROP TABLE probes')
  })
  group.each.teardown(async () => {
    await db.from('probes').delete()
  })

  function insertProbe(id: number, parentId: number | null) {
    return db.transaction((trx) => trx.table('probes').insert({ id, parent_id: parentId }))
  }

  test('throws when the database refuses it', async ({ assert }) => {
    await assert.rejects(() => insertProbe(1, 2), /foreign key/i)
    assert.lengthOf(await db.from('probes'), 0)
  })

  test('shows no value of a statement that failed', async ({ assert }) => {
    const secret = 'argon2id-of-a-user'
    const insert = () => db.table('probes').insert({ id: 1, nowhere: secret })
    const error = await insert().catch((failure: Error) => failure)
    assert.instanceOf(error, Error)
    assert.notInclude((error as Error).message, secret)
  })

  test('leaves a connection that works after a refusal', async ({ assert }) => {
    await insertProbe(1, 2).catch(() => {})
    await insertProbe(3, null)
    assert.lengthOf(await db.from('probes'), 1)
  })

  test('runs its hooks only when it succeeds', async ({ assert }) => {
    const events: string[] = []
    const insertWithHooks = (parentId: number | null) =>
      db.transaction(async (trx) => {
        trx.after('commit', () => void events.push('commit'))
        trx.after('rollback', () => void events.push('rollback'))
        await trx.table('probes').insert({ id: 1, parent_id: parentId })
      })
    await insertWithHooks(2).catch(() => {})
    await insertWithHooks(null)
    assert.deepEqual(events, ['rollback', 'commit'])
  })

  test('is not acknowledged after a failed statement', async ({ assert }) => {
    await insertProbe(1, null)
    const write = db.transaction(async (trx) => {
      await trx.table('probes').insert({ id: 2, parent_id: null })
      await trx.rawQuery('INSERT INTO probes (id) VALUES (1)').catch(() => {})
    })
    const isAcknowledged = await write.then(
      () => true,
      () => false
    )
    const rows = await db.from('probes').where('id', 2)
    assert.equal(rows.length === 1, isAcknowledged)
  })
})
