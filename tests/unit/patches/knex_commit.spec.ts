import { test } from '@japa/runner'
import knex, { type Knex } from 'knex'
import '#database/patches/knex_commit'
import { createUnpatchedKnex, sqliteConfig } from './unpatched_knex.ts'

/** Commits a row whose parent does not exist, which the database refuses at the commit. */
async function commitOrphan(db: Knex) {
  try {
    await db.raw('PRAGMA foreign_keys = ON')
    await db.raw(`CREATE TABLE probes (
      id integer PRIMARY KEY,
      parent_id integer REFERENCES probes (id) DEFERRABLE INITIALLY DEFERRED
    )`)
    const trx = await db.transaction()
    trx.executionPromise.catch(() => {})
    await trx('probes').insert({ id: 1, parent_id: 2 })
    await trx.commit()
  } finally {
    await db.destroy()
  }
}

test.group('Patch | commit of knex', () => {
  test('knex acknowledges a commit that the database refused', async ({ assert }) => {
    await assert.doesNotReject(() => commitOrphan(createUnpatchedKnex(sqliteConfig(':memory:'))))
  })

  test('patched knex rejects a commit that the database refused', async ({ assert }) => {
    await assert.rejects(() => commitOrphan(knex(sqliteConfig(':memory:'))), /FOREIGN KEY/)
  })
})
