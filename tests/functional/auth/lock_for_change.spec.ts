import { test } from '@japa/runner'
import db from '@adonisjs/lucid/services/db'
import { SYSTEM, userActor, type Actor } from '#audit/actor'
import { createKey } from '#auth/api_keys/create_key'
import { listKeys } from '#auth/api_keys/list_keys'
import { revokeKey } from '#auth/api_keys/revoke_keys'
import { lockForChange } from '#auth/lock_for_change'
import { endAllSessionsAs, endSessionAs } from '#auth/sessions/end_session'
import store from '#auth/store/service'
import { applyToUsers } from '#users/bulk_actions'
import { disableUser } from '#users/disable_user'
import { createAdmin, createUser, keyOf, signedIn } from '#tests/support/fixtures'
import { holdTransaction } from '#tests/support/held_transaction'
import type { ApiClient } from '@japa/api-client'
import type { Transaction } from '#database/transaction'

/** Makes a user and the actor of a request in a session of this user. */
async function caller(client: ApiClient) {
  const user = await createUser()
  const { sessionId, headers } = await signedIn(client, user)
  const actor: Actor = { ...userActor(user.id, { ip: null, userAgent: null }), sessionId }
  return { user, actor, headers, sessionId }
}

/** Takes as long as a statement on another connection needs if it does not wait for a lock. */
async function someStatements(trx: Transaction) {
  for (let count = 0; count < 50; count++) await trx.rawQuery('SELECT 1')
}

test.group('Changes | end of the session', () => {
  test('{name} waits for a change that came first')
    .with([
      { name: 'the end of every session', end: endAllSessionsAs },
      {
        name: 'the end of one session',
        end: async (userId: string, _: Actor, sessionId: string) =>
          endSessionAs(userId, sessionId, SYSTEM),
      },
      {
        name: 'the end of an idle session',
        end: (userId: string, _: Actor, sessionId: string) => store.endSession(userId, sessionId),
      },
    ])
    .run(async ({ client, assert }, { end }) => {
      const { user, actor, sessionId } = await caller(client)
      const order: string[] = []
      const { promise: ended, resolve } = Promise.withResolvers<void>()
      await db.transaction(async (trx) => {
        await lockForChange(user.id, actor, trx)
        end(user.id, SYSTEM, sessionId).then(() => order.push('end') && resolve(), resolve)
        await someStatements(trx)
        order.push('change')
      })
      await ended
      assert.deepEqual(order, ['change', 'end'])
    })

  test('a session of another user is none of the actor', async ({ client, assert }) => {
    const [one, other] = [await caller(client), await caller(client)]
    const actor = { ...one.actor, sessionId: other.sessionId }
    const change = () => db.transaction((trx) => lockForChange(one.user.id, actor, trx))
    await assert.rejects(change, 'Token has been revoked')
  })

  test('a session that has expired changes nothing', async ({ client, assert }) => {
    const { user, actor, sessionId } = await caller(client)
    const later = Date.now() + 400 * 86_400_000
    const isAlive = (at: number) =>
      db.transaction((trx) => store.isSessionAlive({ userId: user.id, sessionId }, at, trx))
    assert.isTrue(await isAlive(Date.now()))
    assert.isFalse(await isAlive(later))
    await db.transaction((trx) => lockForChange(user.id, actor, trx))
  })

  test('a bulk action stops with its session', async ({ client, assert }) => {
    const { user, actor } = await caller(client)
    const others = [await createUser(), await createUser()]
    await endAllSessionsAs(user.id, SYSTEM)
    const request = { action: 'disable', options: {}, actor } as const
    const ids = others.map(({ id }) => id)
    await assert.rejects(() => applyToUsers(ids, request), 'Token has been revoked')
    await Promise.all(others.map((other) => other.refresh()))
    assert.isTrue(others.every(({ isDisabled }) => !isDisabled))
  })

  test('a command needs no session', async ({ client, assert }) => {
    const { user } = await caller(client)
    const locked = await db.transaction((trx) => lockForChange(user.id, SYSTEM, trx))
    assert.equal(locked.id, user.id)
  })

  test('a user who is gone is not found', async ({ client, assert }) => {
    const { user } = await caller(client)
    await user.delete()
    const change = () => db.transaction((trx) => lockForChange(user.id, SYSTEM, trx))
    await assert.rejects(change, 'Resource not found')
  })
})

test.group('Changes | API key', () => {
  test('{name} in flight changes nothing')
    .with([
      {
        name: 'a key that is revoked',
        end: (owner: string, id: string) => revokeKey(owner, id, SYSTEM),
      },
      {
        name: 'a key of an owner who is disabled',
        end: (owner: string) => disableUser(owner, {}, SYSTEM),
      },
    ])
    .run(async ({ client, assert }, { end }) => {
      const [admin, user] = [await createAdmin(), await createUser()]
      await createAdmin()
      const { id, headers } = await keyOf(admin, ['users:write'])
      const held = holdTransaction()
      const request = client.put(`/users/${user.id}`).headers(headers).json({ username: 'Eve' })
      const response = request.send()
      await held.begun
      await end(admin.id, id)
      held.release()
      const refused = await response
      refused.assertStatus(401)
      await user.refresh()
      assert.notEqual(user.username, 'Eve')
    })

  test('of keys made while sessions end none is left behind', async ({ client, assert }) => {
    const { user, actor } = await caller(client)
    const key = { name: 'Report', scopes: ['profile:read' as const] }
    const proven = { ...actor, hasRecentAuthentication: true }
    const make = () => createKey(user.id, key, proven)
    const made = await Promise.allSettled([
      make(),
      make(),
      endAllSessionsAs(user.id, SYSTEM),
      make(),
    ])
    const isMade = (index: number) => made[index].status === 'fulfilled'
    const count = [0, 1, 3].filter(isMade).length
    assert.lengthOf(await listKeys(user.id), count)
    await assert.rejects(make, 'Token has been revoked')
  })
})
