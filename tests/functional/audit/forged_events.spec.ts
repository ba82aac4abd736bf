import { test } from '@japa/runner'
import db from '@adonisjs/lucid/services/db'
import logger from '@adonisjs/core/services/logger'
import settings from '#config/audit'
import { SYSTEM } from '#audit/actor'
import { watchSealing } from '#audit/chain/seal_watch'
import { sealPending } from '#audit/chain/sealer'
import { recordAudit } from '#audit/record_audit'
import { AuditTrailCheck } from '#health/checks/audit_trail_check'
import { readMetrics } from '#health/metrics/registry'
import { createUser } from '#tests/support/fixtures'
import { insertForged, removeEvents } from '#tests/support/trail'

const MINUTE_MS = 60_000

/** Records an event, and returns its row after the sealer has run. */
async function sealOne() {
  const { id: targetId } = await createUser()
  await db.transaction((trx) =>
    recordAudit({ action: 'account.updated', actor: SYSTEM, targetId }, trx)
  )
  await sealPending()
  return db.from('audit_events').where('target_id', targetId).firstOrFail()
}

/** Returns what is logged at `error` while `work` runs. */
async function errorsDuring(work: () => Promise<unknown>) {
  const { error } = logger
  const lines: unknown[][] = []
  logger.error = ((...line: unknown[]) => lines.push(line)) as any
  try {
    await work()
  } finally {
    logger.error = error
  }
  return lines
}

const unsealedSeconds = async () => {
  const { text } = await readMetrics()
  return Number(/^gatehouse_audit_unsealed_seconds (\S+)$/m.exec(text)?.[1])
}

test.group('Forged events', (group) => {
  let forged: string[] = []
  group.each.teardown(async () => {
    await removeEvents(forged)
    // A sealer that has read the forged events logs them when it ends.
    await sealPending()
    await watchSealing()
  })

  test('{count} of them keep no other event from the chain')
    .with([-1, 0, 1, settings.sealBatch + 1].map((n) => ({ count: settings.sealBatch + n })))
    .run(async ({ assert }, { count }) => {
      forged = await insertForged(count)
      const event = await sealOne()
      assert.isNotNull(event.sequence)
      const sealed = await db.from('audit_events').whereIn('id', [forged[0], forged.at(-1)!])
      assert.isTrue(sealed.every(({ sequence }) => sequence === null))
    })

  test('reach the log once and not at every run', async ({ assert }) => {
    /** The sealer of an earlier event may run at the same time. */
    const lines = await errorsDuring(async () => {
      forged = await insertForged(3)
      await sealOne()
      await sealOne()
    })
    const told = lines.filter(([, text]) => String(text).includes('forged'))
    assert.deepEqual(told, [
      [
        { events: 3, first: forged[0], last: forged[2] },
        'audit events are forged and were not sealed',
      ],
    ])
  })

  test('that are late show in log, metric and doctor', async ({ assert }) => {
    forged = await insertForged(1, { occurred_at: Date.now() - MINUTE_MS })
    const [line, ...more] = await errorsDuring(async () => {
      await watchSealing()
      await watchSealing()
    }).then((lines) => lines.filter(([, text]) => String(text).includes('not sealed in time')))
    assert.containsSubset(line, [{ seconds: 60 }])
    assert.isEmpty(more)
    assert.closeTo(await unsealedSeconds(), 60, 30)
    const { status } = await new AuditTrailCheck().run()
    assert.equal(status, 'error')
  })

  test('dated in the future are late, too', async ({ assert }) => {
    forged = await insertForged(1, { occurred_at: Date.now() + MINUTE_MS })
    const { status } = await new AuditTrailCheck().run()
    assert.equal(status, 'error')
  })

  test('of this moment are no alarm', async ({ assert }) => {
    forged = await insertForged(1)
    assert.isEmpty(await errorsDuring(() => watchSealing()))
    assert.isBelow(await unsealedSeconds(), settings.sealOverdueMs / 1_000)
    const { status } = await new AuditTrailCheck().run()
    assert.equal(status, 'ok')
  })
})

test.group('A link behind the head', () => {
  test('stops the sealer with its reason', async ({ assert }) => {
    const { sequence } = await sealOne()
    const [id] = await insertForged(1)
    await db
      .from('audit_events')
      .where('id', id)
      .update({ sequence: Number(sequence) + 1 })
    await db.transaction((trx) =>
      recordAudit({ action: 'account.updated', actor: SYSTEM, targetId: null }, trx)
    )
    await assert.rejects(() => sealPending(), /head of the audit log was changed/)
    await removeEvents([id])
    await sealPending()
    const waiting = await db.from('audit_events').whereNull('sequence')
    assert.isEmpty(waiting)
  })
})
