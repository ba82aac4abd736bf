import { test } from '@japa/runner'
import Sqlite from 'better-sqlite3'
import { deferSyncs, deferSyncOfMigrations } from '#database/sqlite_durability'

const [NORMAL, FULL] = [1, 2]

/** Opens a connection whose `modeOf` returns the mode in which a write is committed. */
function connectionOf(cleanup: (close: () => void) => void) {
  const connection = new Sqlite(':memory:')
  cleanup(() => connection.close())
  deferSyncs(connection)
  return {
    modeOf(sql: string) {
      connection.prepare(sql).run()
      return connection.pragma('synchronous', { simple: true })
    },
  }
}

test.group('Migrations | power cut', () => {
  test('a migration waits for no disk, the write after it does', async ({ assert, cleanup }) => {
    const { modeOf } = connectionOf(cleanup)
    const migrate = async () => modeOf('CREATE TABLE first (id INTEGER)')
    assert.equal(await deferSyncOfMigrations(migrate), NORMAL)
    assert.equal(modeOf('CREATE TABLE second (id INTEGER)'), FULL)
  })

  test('a write after a migration that failed is synced', async ({ assert, cleanup }) => {
    const { modeOf } = connectionOf(cleanup)
    const migrate = async () => modeOf('CREATE TABLE first (id INTEGER, id INTEGER)')
    await assert.rejects(() => deferSyncOfMigrations(migrate), /duplicate column/)
    assert.equal(modeOf('CREATE TABLE second (id INTEGER)'), FULL)
  })
})
