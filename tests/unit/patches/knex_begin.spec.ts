import { rmSync } from 'node:fs'
import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { test } from '@japa/runner'
import knex, { type Knex } from 'knex'
import { temporaryFolder } from '#tests/support/temporary_folder'
import '#database/patches/knex_begin'
import { createUnpatchedKnex, sqliteConfig } from './unpatched_knex.ts'

test.group('Patch | begin of knex on SQLite', (group) => {
  let folder: string
  let other: Sqlite.Database
  group.each.setup(() => {
    folder = temporaryFolder('begin')
    other = new Sqlite(join(folder, 'probes.sqlite'), { timeout: 0 })
    other.pragma('journal_mode = WAL')
    other.exec('CREATE TABLE probes (id integer PRIMARY KEY)')
    return () => {
      other.close()
      rmSync(folder, { recursive: true })
    }
  })

  function writeIfAllowed() {
    try {
      other.exec('INSERT INTO probes VALUES (1)')
    } catch {}
  }

  /** Reads and then writes in one transaction, while another connection writes in between. */
  async function writeAfterRead(create: (config: Knex.Config) => Knex) {
    const db = create(sqliteConfig(join(folder, 'probes.sqlite')))
    try {
      await db.transaction(async (trx) => {
        await trx('probes').first()
        writeIfAllowed()
        await trx('probes').insert({ id: 2 })
      })
    } finally {
      await db.destroy()
    }
  }

  test('knex fails a write after another connection wrote', async ({ assert }) => {
    await assert.rejects(() => writeAfterRead(createUnpatchedKnex), /database is locked/)
  })

  test('patched knex keeps the other connection from writing', async ({ assert }) => {
    await assert.doesNotReject(() => writeAfterRead(knex))
    const ids = other.prepare('SELECT id FROM probes').pluck().all()
    assert.deepEqual(ids, [2])
  })
})
