import { test } from '@japa/runner'
import { v7 as uuidv7 } from 'uuid'
import db from '@adonisjs/lucid/services/db'
import audit from '#config/audit'
import { SYSTEM, userActor } from '#audit/actor'
import { walkEventsAbout } from '#audit/trail/query'
import { removeOldEvents } from '#audit/chain/retention'
import { sealPending, stopSealing } from '#audit/chain/sealer'
import { recordAudit } from '#audit/record_audit'
import { verifyTrail } from '#audit/chain/verification'
import { pruneExpired } from '#maintenance/prune_expired'
import { E_FORBIDDEN } from '#exceptions/http_errors'
import { BATCH_SIZE } from '#database/batches'
import { applyToUsers } from '#users/bulk_actions'
import { deleteUser } from '#users/delete_user'
import { walkUsers } from '#users/list/list_users'
import { turnsDuring } from '#tests/support/event_loop'
import { createAdmin, createUser, keyOf } from '#tests/support/fixtures'
import { removeWebhooks } from '#tests/support/webhook_endpoints'

/*
 | SQLite runs its statements on the event loop. The time of a statement depends on the machine:
 | these tests count the turns of the event loop instead. Other requests are answered at each turn.
 */

const BATCHES = 6

/** Makes a user with several batches of events. */
async function busyUser() {
  const user = await createUser({ password: null })
  const actor = userActor(user.id, { ip: '203.0.113.9', userAgent: 'Agent' })
  await db.transaction(async (trx) => {
    for (let index = 0; index < BATCHES * BATCH_SIZE; index++) {
      await recordAudit({ action: 'account.updated', actor, targetId: user.id }, trx)
    }
  })
  return user
}

/** Adds a batch of tokens that applications hold for a user. */
function giveTokens(userId: string, kind = 'AccessToken') {
  const row = { kind, payload: '{}', user_id: userId }
  const expiresAt = Date.now() + 60_000
  const rows = Array.from({ length: BATCH_SIZE }, () => ({ ...row, id_hash: uuidv7() }))
  const insert = db.table('oauth_records')
  return insert.multiInsert(rows.map((each) => ({ ...each, expires_at: expiresAt })))
}

async function collect(rows: AsyncIterable<object[]>) {
  let total = 0
  for await (const batch of rows) total += batch.length
  return total
}

test.group('Long work lets others in', () => {
  test('sealing and verifying the trail', async ({ assert }) => {
    await busyUser()
    assert.isAtLeast(await turnsDuring(() => sealPending()), 2)
    assert.isAtLeast(await turnsDuring(() => verifyTrail()), BATCHES)
  })

  test('reading the events about a user', async ({ assert }) => {
    const user = await busyUser()
    const turns = await turnsDuring(async () => {
      assert.isAtLeast(await collect(walkEventsAbout(user.id)), BATCHES * BATCH_SIZE)
    })
    assert.isAtLeast(turns, BATCHES)
  })

  test('deleting a user with many events', async ({ assert }) => {
    const user = await busyUser()
    const turns = await turnsDuring(() => deleteUser(user.id, SYSTEM))
    assert.isAtLeast(turns, BATCHES)
    const found = await db
      .from('audit_events')
      .where('target_id', user.id)
      .whereNotNull('ip_hash')
      .first()
    assert.isNull(found)
  })

  test('deleting several users', async ({ assert }) => {
    const users = await Promise.all([1, 2, 3, 4, 5].map(() => createUser({ password: null })))
    const ids = users.map(({ id }) => id)
    const request = { action: 'delete', options: {}, actor: SYSTEM } as const
    const turns = await turnsDuring(async () => {
      const { done } = await applyToUsers(ids, request)
      assert.equal(done, ids.length)
    })
    assert.isAtLeast(turns, ids.length)
  })

  test('deleting a user with many records of applications: {$self}')
    .with(['AccessToken', 'RefreshToken', 'AuthorizationCode', 'EndedGrant'])
    .run(async ({ assert }, kind) => {
      const { id } = await createUser({ password: null })
      for (let batch = 0; batch < BATCHES; batch++) await giveTokens(id, kind)
      const turns = await turnsDuring(() => deleteUser(id, SYSTEM))
      assert.isAtLeast(turns, BATCHES)
      assert.lengthOf(await db.from('oauth_records').where('user_id', id), 0)
    })

  test('deleting an administrator with many tokens', async ({ assert }) => {
    await createAdmin()
    const { id } = await createAdmin()
    for (let batch = 0; batch < BATCHES; batch++) await giveTokens(id)
    assert.isAtLeast(await turnsDuring(() => deleteUser(id, SYSTEM)), BATCHES)
    assert.lengthOf(await db.from('oauth_records').where('user_id', id), 0)
  })

  test('a key that may delete no administrator deletes no token', async ({ assert }) => {
    await createAdmin()
    const [{ id }, owner] = [await createAdmin(), await createAdmin()]
    for (let batch = 0; batch < 2; batch++) await giveTokens(id)
    const { id: keyId } = await keyOf(owner)
    const actor = { ...userActor(owner.id, { ip: null, userAgent: null }), keyId }
    await assert.rejects(() => deleteUser(id, actor), /Insufficient/)
    assert.lengthOf(await db.from('oauth_records').where('user_id', id), 2 * BATCH_SIZE)
  })

  test('a refused deletion deletes no token', async ({ assert }) => {
    const { id } = await createUser({ password: null })
    for (let batch = 0; batch < 2; batch++) await giveTokens(id)
    const refuse = () => {
      throw new E_FORBIDDEN()
    }
    await assert.rejects(() => deleteUser(id, SYSTEM, { assertDeletable: refuse }))
    assert.lengthOf(await db.from('oauth_records').where('user_id', id), 2 * BATCH_SIZE)
  })

  test('reading many users', async ({ assert }) => {
    const tag = `Walked${uuidv7().slice(-12)}`
    const createdAt = Date.now()
    const rows = Array.from({ length: 2 * BATCH_SIZE + 1 }, () => {
      const id = uuidv7()
      return { id, email: `${id}@example.org`, username: tag, role: 'User' }
    })
    for (let at = 0; at < rows.length; at += 50) {
      const times = {
        created_at: createdAt,
        updated_at: createdAt,
        password_changed_at: createdAt,
      }
      await db
        .table('users')
        .multiInsert(rows.slice(at, at + 50).map((row) => ({ ...row, ...times })))
    }
    const turns = await turnsDuring(async () => {
      assert.equal(await collect(walkUsers({ search: tag })), rows.length)
    })
    assert.isAtLeast(turns, 2)
  })

  test('removing what has expired', async ({ assert }) => {
    const rows = Array.from({ length: BATCHES * BATCH_SIZE }, () => ({
      state_hash: uuidv7(),
      expires_at: 1,
    }))
    for (let at = 0; at < rows.length; at += BATCH_SIZE) {
      await db.table('external_states').multiInsert(rows.slice(at, at + BATCH_SIZE))
    }
    assert.isAtLeast(await turnsDuring(() => pruneExpired()), BATCHES)
    assert.lengthOf(await db.from('external_states').where('expires_at', 1), 0)
  })

  test('removing events that are older than their retention', async ({ assert, cleanup }) => {
    audit.retentionMs = 1
    cleanup(() => {
      audit.retentionMs = null
    })
    await busyUser()
    await stopSealing()
    /** Webhooks of other tests would keep events, and users whom other tests deleted directly. */
    await removeWebhooks()
    const later = Date.now() + 86_400_000
    assert.isAtLeast(await turnsDuring(() => removeOldEvents(later)), BATCHES)
    const report = await verifyTrail()
    assert.isTrue(report.isWhole, JSON.stringify(report))
  })
})
