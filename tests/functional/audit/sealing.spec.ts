import { test, timeTravel } from '@japa/runner'
import db from '@adonisjs/lucid/services/db'
import type { TransactionClientContract } from '@adonisjs/lucid/types/database'
import { SYSTEM } from '#audit/actor'
import { eventMac } from '#audit/chain/chain'
import { findChain } from '#audit/chain/chain_state'
import { toEvent, type EventRow } from '#audit/event_row'
import { sealBatch } from '#audit/chain/seal_batch'
import { sealPending } from '#audit/chain/sealer'
import { recordAudit } from '#audit/record_audit'
import { verifyTrail } from '#audit/chain/verification'
import { createUser } from '#tests/support/fixtures'
import { until } from '#tests/support/waiting'

type Trx = TransactionClientContract

/** Records events about one user, and returns their rows, oldest first. */
async function recorded(count = 3): Promise<EventRow[]> {
  const { id: targetId } = await createUser()
  for (let done = 0; done < count; done++) {
    const entry = { action: 'account.updated' as const, actor: SYSTEM, targetId }
    await db.transaction((trx) => recordAudit({ ...entry, details: { done } }, trx))
  }
  const rows = await db.from('audit_events').where('target_id', targetId).orderBy('id')
  return rows.map(toEvent)
}

async function sealed(count?: number) {
  const events = await recorded(count)
  await sealPending()
  const ids = events.map(({ id }) => id)
  const rows = await db.from('audit_events').whereIn('id', ids).orderBy('sequence')
  return rows.map(toEvent)
}

test.group('Sealing', () => {
  test('leaves the trail whole after everything before', async ({ assert }) => {
    await sealPending()
    const verdict = await verifyTrail()
    assert.isTrue(verdict.isWhole, JSON.stringify(verdict))
  })

  test('links events without gaps in their order', async ({ assert }) => {
    const events = await sealed(5)
    const [{ sequence: first }] = events
    assert.deepEqual(
      events.map(({ sequence }) => sequence! - first!),
      [0, 1, 2, 3, 4]
    )
    const chain = await findChain(db.connection())
    assert.equal(chain!.hash, events.at(-1)!.hash)
  })

  test('begins a moment after the commit by itself', async ({ assert }) => {
    const [event] = await recorded(1)
    const found = await until(() =>
      db.from('audit_events').where('id', event.id).whereNotNull('hash').first()
    )
    assert.equal(found.id, event.id)
  })

  test('several sealers at once link each event once', async ({ assert }) => {
    await recorded(40)
    await Promise.all(Array.from({ length: 6 }, () => sealBatch()))
    await sealPending()
    const verdict = await verifyTrail()
    assert.isTrue(verdict.isWhole, JSON.stringify(verdict))
    const [{ total }] = await db.from('audit_events').whereNull('sequence').count('* as total')
    assert.equal(Number(total), 0)
  })

  test('holds when the clock goes back', async ({ assert }) => {
    await sealed(1)
    timeTravel('-3 days')
    const [earlier] = await sealed(1)
    const verdict = await verifyTrail()
    assert.isTrue(verdict.isWhole, JSON.stringify(verdict))
    assert.isNotNull(earlier.sequence)
  })

  test('an event that is late is named', async ({ assert }) => {
    const trx = await db.transaction()
    const entry = { action: 'account.updated' as const, actor: SYSTEM, targetId: null }
    await recordAudit(entry, trx)
    timeTravel('11 seconds')
    const { isWhole, broken, unsealed } = await verifyTrail({ client: trx })
    await trx.rollback()
    assert.isFalse(isWhole)
    assert.isNull(broken)
    assert.lengthOf(unsealed, 1)
  })

  test('an event of seconds ago is not late', async ({ assert }) => {
    const trx = await db.transaction()
    await recordAudit({ action: 'account.updated', actor: SYSTEM, targetId: null }, trx)
    const verdict = await verifyTrail({ client: trx })
    await trx.rollback()
    assert.isTrue(verdict.isWhole, JSON.stringify(verdict))
  })
})

test.group('Sealing | the database', () => {
  const refused = /append-only/

  test('refuses to change, remove or move an event', async ({ assert }) => {
    const [{ id }] = await sealed(1)
    const event = () => db.from('audit_events').where('id', id)
    await assert.rejects(() => event().update({ actor: 'nobody' }), refused)
    await assert.rejects(() => event().update({ details: '{}' }), refused)
    await assert.rejects(() => event().update({ sequence: 1_000_000 }), refused)
    await assert.rejects(() => event().update({ ip_hash: 'abcdefgh' }), refused)
    await assert.rejects(() => event().delete(), refused)
  })

  test('refuses to remove an event that is not sealed', async ({ assert }) => {
    const [{ id }] = await recorded(1)
    await assert.rejects(() => db.from('audit_events').where('id', id).delete(), refused)
  })
})

test.group('Sealing | tampering', () => {
  /** Changes the trail as an attacker with full access to the database can, and rolls back. */
  async function tampered<T>(
    tamper: (trx: Trx) => Promise<unknown>,
    then: (trx: Trx) => Promise<T>
  ) {
    const trx = await db.transaction()
    try {
      if (db.connection().dialect.name === 'postgres') {
        await trx.rawQuery('ALTER TABLE audit_events DISABLE TRIGGER USER')
      } else {
        for (const name of ['fixed', 'sealed_once', 'emptied', 'kept']) {
          await trx.rawQuery(`DROP TRIGGER audit_events_${name}`)
        }
      }
      await tamper(trx)
      return await then(trx)
    } finally {
      await trx.rollback()
    }
  }

  const last = async (trx: Trx) => {
    const rows = await trx.from('audit_events').orderBy('sequence', 'desc').limit(2)
    return rows.filter(({ sequence }) => sequence !== null).map(toEvent)
  }

  const CASES = [
    {
      name: 'an event that was changed',
      tamper: async (trx: Trx) => {
        const [{ id }] = await last(trx)
        await trx.from('audit_events').where('id', id).update({ actor: 'system2' })
      },
    },
    {
      name: 'an address that was moved from another event',
      tamper: async (trx: Trx) => {
        const [{ id }] = await last(trx)
        await trx.from('audit_events').where('id', id).update({ origin: 'audit.v1:copied' })
      },
    },
    {
      name: 'an event that was removed from the middle',
      tamper: async (trx: Trx) => {
        const [, { id }] = await last(trx)
        await trx.from('audit_events').where('id', id).delete()
      },
    },
    {
      name: 'the last event, removed with the head moved back',
      tamper: async (trx: Trx) => {
        const [end, before] = await last(trx)
        await trx.from('audit_events').where('id', end.id).delete()
        await trx.from('audit_chain').update({ sequence: before.sequence, hash: before.hash })
      },
    },
    {
      name: 'the first events, removed with the checkpoint moved forward',
      tamper: async (trx: Trx) => {
        const [, { sequence, hash }] = await last(trx)
        await trx.from('audit_events').where('sequence', '<=', sequence!).delete()
        const checkpoint = { checkpoint_sequence: sequence, checkpoint_hash: hash }
        await trx.from('audit_chain').update(checkpoint)
      },
    },
    {
      name: 'a chain without its head',
      tamper: (trx: Trx) => trx.from('audit_chain').delete(),
    },
    {
      name: 'an event that was appended',
      tamper: async (trx: Trx) => {
        const row = await trx.from('audit_events').orderBy('sequence', 'desc').firstOrFail()
        const id = '01930f3c-0000-7000-8000-000000000000'
        const sequence = Number(row.sequence ?? 0) + 1_000
        await trx.table('audit_events').insert({ ...row, id, sequence })
      },
    },
  ]

  test('shows: {name}')
    .with(CASES)
    .run(async ({ assert }, { tamper }) => {
      await sealed()
      const verdict = await tampered(tamper, (client) => verifyTrail({ client }))
      assert.isFalse(verdict.isWhole)
      const after = await verifyTrail()
      assert.isTrue(after.isWhole, JSON.stringify(after))
    })

  test('a forged event is not sealed but named', async ({ assert }) => {
    const [real] = await sealed(1)
    const forged = {
      ...real,
      id: '01930f3c-0000-7000-8000-000000000001',
      sequence: null,
      hash: null,
    }
    const insert = (trx: Trx) => trx.table('audit_events').insert({ ...forged, actor: 'system' })
    const verdict = await tampered(insert, (client) => verifyTrail({ client }))
    assert.deepEqual(verdict.unsealed.length, 0)
    timeTravel('1 minute')
    const later = await tampered(insert, (client) => verifyTrail({ client }))
    assert.deepEqual(later.unsealed, [forged.id])
    assert.notEqual(eventMac(forged), real.mac)
  })
})

test.group('Sealing | expected head', () => {
  test('a chain passes through the heads it had', async ({ assert }) => {
    const events = await sealed(3)
    for (const { sequence, hash } of events) {
      const expected = { sequence: sequence!, hash: hash! }
      const verdict = await verifyTrail({ expected })
      assert.isTrue(verdict.isWhole, JSON.stringify(verdict))
    }
  })

  test('a chain with another hash there fails', async ({ assert }) => {
    const [{ sequence }] = await sealed(1)
    const verdict = await verifyTrail({ expected: { sequence: sequence!, hash: 'x'.repeat(43) } })
    assert.isFalse(verdict.isWhole)
    assert.equal(verdict.expectation, 'other')
  })

  test('a chain that ends before fails', async ({ assert }) => {
    const [{ sequence, hash }] = await sealed(1)
    const verdict = await verifyTrail({ expected: { sequence: sequence! + 1, hash: hash! } })
    assert.equal(verdict.expectation, 'beyond')
  })
})
