import { test, timeTravel } from '@japa/runner'
import db from '@adonisjs/lucid/services/db'
import settings from '#config/audit'
import { SYSTEM } from '#audit/actor'
import { findChain } from '#audit/chain/chain_state'
import { removeOldEvents } from '#audit/chain/retention'
import { sealPending } from '#audit/chain/sealer'
import { recordAudit } from '#audit/record_audit'
import { verifyTrail } from '#audit/chain/verification'
import { BATCH_SIZE } from '#database/batches'

const DAY_MS = 86_400_000

async function record(count: number) {
  for (let done = 0; done < count; done++) {
    const entry = { action: 'account.updated' as const, actor: SYSTEM, targetId: null }
    await db.transaction((trx) => recordAudit(entry, trx))
  }
  await sealPending()
  const chain = await findChain(db.connection())
  return chain!
}

test.group('Retention', (group) => {
  group.each.setup(() => {
    settings.retentionMs = 365 * DAY_MS
    return () => {
      settings.retentionMs = null
    }
  })

  /** A time later than any to which other tests have set the clock. */
  const muchLater = () => Date.now() + 5_000 * DAY_MS

  test('keeps everything unless it is set', async ({ assert }) => {
    await record(1)
    settings.retentionMs = null
    assert.equal(await removeOldEvents(muchLater()), 0)
  })

  test('keeps what is young', async ({ assert }) => {
    await record(1)
    assert.equal(await removeOldEvents(Date.now() + 364 * DAY_MS), 0)
  })

  test('leaves a trail that verifies from the checkpoint', async ({ assert }) => {
    const { sequence } = await record(3)
    assert.isAbove(await removeOldEvents(muchLater()), 0)
    const next = await record(2)
    const verdict = await verifyTrail()
    assert.isTrue(verdict.isWhole, JSON.stringify(verdict))
    assert.equal(verdict.checkpoint, sequence)
    assert.equal(verdict.events, next.sequence - sequence)
  })

  test('{count} events of a clock that was wrong keep no older one')
    .with([1, BATCH_SIZE - 1, BATCH_SIZE, 2 * BATCH_SIZE + 1].map((count) => ({ count })))
    .run(async ({ assert }, { count }) => {
      await removeOldEvents(muchLater())
      await record(BATCH_SIZE - 1)
      timeTravel('600 days')
      await record(count)
      timeTravel('-600 days')
      const { sequence } = await record(1)
      await removeOldEvents(Date.now() + 400 * DAY_MS)
      const chain = await findChain(db.connection())
      assert.equal(chain!.checkpoint_sequence, sequence)
    })

  test('events of the future stay where no older one follows', async ({ assert }) => {
    await removeOldEvents(muchLater())
    const { sequence } = await record(1)
    timeTravel('600 days')
    await record(BATCH_SIZE + 1)
    timeTravel('-600 days')
    await removeOldEvents(Date.now() + 400 * DAY_MS)
    const chain = await findChain(db.connection())
    assert.equal(chain!.checkpoint_sequence, sequence)
  })

  test('an expected head before the checkpoint is told', async ({ assert }) => {
    const early = await record(1)
    await record(1)
    await removeOldEvents(muchLater())
    const chain = await findChain(db.connection())
    const at = { sequence: chain!.checkpoint_sequence, hash: chain!.checkpoint_hash }
    const verdictOf = async (expected: { sequence: number; hash: string }) => {
      const { expectation } = await verifyTrail({ expected })
      return expectation
    }
    assert.equal(await verdictOf(early), 'early')
    assert.isNull(await verdictOf(at))
  })

  test('sealing and removing at once lose no link', async ({ assert }) => {
    await record(5)
    const entry = { action: 'account.updated' as const, actor: SYSTEM, targetId: null }
    const records = Array.from({ length: 20 }, () =>
      db.transaction((trx) => recordAudit(entry, trx)).then(sealPending)
    )
    await Promise.all([...records, removeOldEvents(muchLater()), verifyTrail()])
    await sealPending()
    const verdict = await verifyTrail()
    assert.isTrue(verdict.isWhole, JSON.stringify(verdict))
  })
})
