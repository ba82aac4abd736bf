import { test } from '@japa/runner'
import db from '@adonisjs/lucid/services/db'
import type { TransactionClientContract } from '@adonisjs/lucid/types/database'
import { SYSTEM } from '#audit/actor'
import { chainOf } from '#audit/chain'
import { recordAudit } from '#audit/trail'
import { verifyTrail } from '#audit/verification'
import { createAdmin, createUser, login, signedIn } from '#tests/fixtures'

test.group('Audit events', () => {
  test('name the actor, the action and the target', async ({ client, assert }) => {
    const admin = await createAdmin()
    const user = await createUser()
    const { headers } = await signedIn(client, admin, { address: '198.51.100.9' })
    await client.post(`/users/${user.id}/lock`).headers(headers)
    const response = await client
      .get('/audit-events')
      .qs({ target: user.id, action: 'account.locked' })
      .headers(headers)
    response.assertStatus(200)
    assert.equal(response.body().meta.total, 1)
    assert.containsSubset(response.body().data[0], {
      action: 'account.locked',
      outcome: 'success',
      actor: `user:${admin.id}`,
      actorId: admin.id,
      targetId: user.id,
    })
  })

  test('refuse a wrong filter by its field', async ({ client, assert }) => {
    const { headers } = await signedIn(client, await createAdmin())
    for (const [field, value] of Object.entries({ from: 'yesterday', outcome: 'maybe', page: 0 })) {
      const response = await client
        .get('/audit-events')
        .qs({ [field]: value })
        .headers(headers)
      response.assertStatus(400)
      assert.equal(response.body().errors[0].field, field)
    }
  })

  test('are shown to the user whom they concern', async ({ client, assert }) => {
    const user = await createUser()
    const { headers } = await signedIn(client, user)
    await login(client, { email: user.email, password: 'Wrong-h0rse!' })
    const response = await client.get('/auth/activity').headers(headers)
    assert.deepEqual(
      response.body().data.map((event: { action: string }) => event.action),
      ['login.failed', 'login.succeeded']
    )
  })
})

test.group('Audit trail', () => {
  test('is whole after everything before', async ({ assert }) => {
    const verdict = await verifyTrail()
    assert.isTrue(verdict.isWhole, JSON.stringify(verdict))
  })

  test('cannot be changed or emptied', async ({ assert }) => {
    await assert.rejects(() => db.from('audit_events').update({ actor: 'nobody' }), /append-only/)
    await assert.rejects(() => db.from('audit_events').delete(), /append-only/)
  })
})

test.group('Audit trail | tampering', (group) => {
  /** Changes the trail as an attacker with full access to the database can, and rolls back. */
  async function tampered(tamper: (trx: TransactionClientContract) => Promise<unknown>) {
    const dialect = db.connection().dialect.name
    const trx = await db.transaction()
    try {
      if (dialect === 'postgres') {
        await trx.rawQuery('ALTER TABLE audit_events DISABLE TRIGGER USER')
      } else {
        await trx.rawQuery('DROP TRIGGER audit_events_no_update')
        await trx.rawQuery('DROP TRIGGER audit_events_no_delete')
      }
      await tamper(trx)
      return await verifyTrail(undefined, trx)
    } finally {
      await trx.rollback()
    }
  }

  let chain: number
  group.each.setup(async () => {
    const user = await createUser()
    await db.transaction(async (trx) => {
      for (let count = 0; count < 3; count++) {
        await recordAudit({ action: 'account.updated', actor: SYSTEM, targetId: user.id }, trx)
      }
    })
    chain = chainOf(user.id)
  })

  const last = async (trx: TransactionClientContract) => {
    const row = await trx
      .from('audit_events')
      .where('chain', chain)
      .orderBy('sequence', 'desc')
      .first()
    return row as { sequence: number; previous_hash: string; id: string }
  }

  test('shows: {name}')
    .with([
      {
        name: 'an event that was changed',
        tamper: async (trx: TransactionClientContract) => {
          const { id } = await last(trx)
          await trx.from('audit_events').where('id', id).update({ ip: '192.0.2.1' })
        },
      },
      {
        name: 'an event that was removed from the middle',
        tamper: async (trx: TransactionClientContract) => {
          const { sequence } = await last(trx)
          await trx
            .from('audit_events')
            .where({ chain, sequence: sequence - 1 })
            .delete()
        },
      },
      {
        name: 'the last event, removed with the head moved back',
        tamper: async (trx: TransactionClientContract) => {
          const { sequence, previous_hash: hash, id } = await last(trx)
          await trx.from('audit_events').where('id', id).delete()
          const head = { last_sequence: sequence - 1, last_hash: hash }
          await trx.from('audit_chains').where('chain', chain).update(head)
        },
      },
      {
        name: 'a chain that was removed with its head',
        tamper: async (trx: TransactionClientContract) => {
          await trx.from('audit_events').where('chain', chain).delete()
          await trx.from('audit_chains').where('chain', chain).delete()
        },
      },
      {
        name: 'an event that was appended',
        tamper: async (trx: TransactionClientContract) => {
          const row = await trx
            .from('audit_events')
            .where('chain', chain)
            .orderBy('sequence', 'desc')
            .first()
          const forged = {
            ...row,
            id: '01930f3c-0000-7000-8000-000000000000',
            sequence: row.sequence + 1,
          }
          await trx.table('audit_events').insert(forged)
        },
      },
    ])
    .run(async ({ assert }, { tamper }) => {
      const verdict = await tampered(tamper)
      assert.isFalse(verdict.isWhole)
      const after = await verifyTrail()
      assert.isTrue(after.isWhole, JSON.stringify(after))
    })
})

test.group('Audit events | of others', () => {
  test('hide the address and device of an administrator', async ({ client, assert }) => {
    const admin = await createAdmin()
    const user = await createUser()
    const { headers } = await signedIn(client, admin)
    await client
      .put(`/users/${user.id}`)
      .headers(headers)
      .header('user-agent', 'the browser of the admin')
      .json({ nickname: 'Countess' })
    const own = await signedIn(client, user)
    for (const path of ['/auth/activity', '/auth/export']) {
      const response = await client.get(path).headers(own.headers)
      assert.include(response.text(), 'account.updated')
      assert.notInclude(response.text(), 'the browser of the admin')
      assert.notInclude(response.text(), admin.id)
    }
  })
})
