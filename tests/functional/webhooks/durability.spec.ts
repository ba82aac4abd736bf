import { test } from '@japa/runner'
import Sqlite from 'better-sqlite3'
import db from '@adonisjs/lucid/services/db'
import { sealPending } from '#audit/chain/sealer'
import { deferSyncs } from '#database/sqlite_durability'
import { cutDeliveries } from '#webhooks/dispatch/cut_deliveries'
import { releaseLane, acquireLane } from '#webhooks/dispatch/lane_leases'
import { saveOutcomes } from '#webhooks/dispatch/outcomes'
import { findWebhookRow } from '#webhooks/webhook_rows'
import { statementsOf } from '#tests/support/statements'
import { newWebhook, removeWebhooks, someGroup } from '#tests/support/webhook_endpoints'

/*
 | On SQLite, a sync blocks the event loop for the disk; on Postgres, other commits wait for it.
 | After a power cut, deliveries may be repeated.
 */

const FULL = 2

const IS_POSTGRES = process.env.DB_CONNECTION === 'pg'

const WITHOUT_SYNC = `set_config('synchronous_commit', 'off', true)`

const TABLES = `
  CREATE TABLE webhook_lanes (webhook_id text PRIMARY KEY, holder text, held_until int);
  CREATE TABLE webhook_deliveries (id text, status text, attempts int, response_status int,
    duration_ms int, error text, next_attempt_at int)`

/** Returns the writes to the tables of deliveries while `act` runs. */
async function writesOf(act: () => Promise<unknown>) {
  const statements = await statementsOf(act)
  const written = /^(insert into|update|delete from) .?webhook_(lanes|deliveries)/i
  return statements.filter((sql) => written.test(sql))
}

/** @returns a webhook with a delivery that is due */
async function withDelivery() {
  const { id } = await newWebhook({ events: ['group.created'] })
  await sealPending()
  await cutDeliveries()
  await someGroup()
  await sealPending()
  await cutDeliveries()
  const delivery = await db.from('webhook_deliveries').where('webhook_id', id).firstOrFail()
  return { webhook: (await findWebhookRow(id))!, delivery }
}

/** Takes a lease, stores the outcome of a try, and releases the lease. */
async function writesOfTry() {
  const { webhook, delivery } = await withDelivery()
  const outcome = { ...delivery, status: 'delivered', attempts: 1, endedAt: Date.now() }
  return writesOf(async () => {
    const lease = await acquireLane(webhook.id)
    await saveOutcomes(webhook, [outcome])
    await releaseLane(lease!)
  })
}

test.group('Webhooks | power cut', (group) => {
  group.each.setup(removeWebhooks)

  test('leases and outcomes are written without a sync', async ({ assert, cleanup }) => {
    const writes = await writesOfTry()
    assert.lengthOf(writes, 3)
    const connection = new Sqlite(':memory:')
    cleanup(() => void connection.close())
    connection.exec(TABLES)
    deferSyncs(connection)
    for (const sql of writes) {
      connection.prepare('DELETE FROM webhook_deliveries')
      assert.equal(connection.pragma('synchronous', { simple: true }), FULL)
      connection.prepare(sql)
      assert.isBelow(connection.pragma('synchronous', { simple: true }) as number, FULL, sql)
    }
  }).skip(IS_POSTGRES, 'Postgres is told by the statement')

  test('leases and outcomes wait for no sync of Postgres', async ({ assert }) => {
    const writes = await writesOfTry()
    assert.lengthOf(writes, 3)
    for (const sql of writes) assert.include(sql, WITHOUT_SYNC)
  }).skip(!IS_POSTGRES, 'SQLite is told by the text of the statement')

  test('nor does the transaction that cuts', async ({ assert }) => {
    await someGroup()
    await newWebhook({ events: ['group.created'] })
    await sealPending()
    const statements = await statementsOf(cutDeliveries)
    assert.isTrue(statements.some((sql) => sql.includes(WITHOUT_SYNC)))
  }).skip(!IS_POSTGRES, 'SQLite knows no transaction by its text')
})
