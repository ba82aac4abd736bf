import { test } from '@japa/runner'
import Sqlite from 'better-sqlite3'
import db from '@adonisjs/lucid/services/db'
import { sealPending } from '#audit/chain/sealer'
import { deferSyncs } from '#database/sqlite_durability'
import { cutAll } from '#webhooks/dispatch/cut'
import { releaseLane, takeLane } from '#webhooks/dispatch/lane_leases'
import { saveOutcomes } from '#webhooks/dispatch/outcomes'
import { findWebhookRow } from '#webhooks/webhook_rows'
import { statementsOf } from '#tests/support/statements'
import { newWebhook, removeWebhooks, someGroup } from '#tests/support/webhook_endpoints'

/* A sync blocks the event loop of SQLite for the disk. A power cut may repeat deliveries. */

const FULL = 2

const TABLES = `
  CREATE TABLE webhook_lanes (webhook_id text PRIMARY KEY, holder text, held_until int);
  CREATE TABLE webhook_deliveries (id text, status text, attempts int, response_status int,
    duration_ms int, error text, next_attempt_at int)`

/** The writes to tables of deliveries meanwhile. */
async function writesOf(act: () => Promise<unknown>) {
  const statements = await statementsOf(act)
  const written = /^(insert into|update|delete from) .?webhook_(lanes|deliveries)/i
  return statements.filter((sql) => written.test(sql))
}

test.group('Webhooks | power cut', (group) => {
  group.each.setup(removeWebhooks)

  test('leases and outcomes are written without a sync', async ({ assert, cleanup }) => {
    const { id } = await newWebhook({ events: ['group.created'] })
    await sealPending()
    await cutAll()
    await someGroup()
    await sealPending()
    await cutAll()
    const delivery = await db.from('webhook_deliveries').where('webhook_id', id).firstOrFail()
    const webhook = await findWebhookRow(id)
    const outcome = { ...delivery, status: 'delivered', attempts: 1, endedAt: Date.now() }
    const writes = await writesOf(async () => {
      const lease = await takeLane(id)
      await saveOutcomes(webhook!, [outcome])
      await releaseLane(lease!)
    })
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
  }).skip(process.env.DB_CONNECTION === 'pg', 'on Postgres no other request waits for a commit')
})
