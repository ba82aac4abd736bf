import { test } from '@japa/runner'
import { DateTime } from 'luxon'
import db from '@adonisjs/lucid/services/db'
import store from '#auth/store/service'
import tokens from '#config/tokens'
import { issueOneTimeToken } from '#auth/tokens/issue_one_time_token'
import { isDependencyDown } from '#exceptions/dependency_failures'
import { pruneExpired } from '#maintenance/prune_expired'
import { createUser, signedIn, someEmail } from '#tests/support/fixtures'

test.group('Prune', () => {
  test('removes what has expired and nothing else', async ({ client, assert }) => {
    const user = await createUser()
    const { sessionId } = await signedIn(client, user)
    await db.transaction((trx) => issueOneTimeToken(user, { purpose: 'password_reset' }, trx))
    const rows = () => db.from('one_time_tokens').where('user_id', user.id)

    const now = Date.now()
    await pruneExpired(now)
    assert.isNotNull(await store.findSession(user.id, sessionId, now))
    assert.lengthOf(await rows(), 1)

    const removed = await pruneExpired(now + tokens.refreshTtlMs + 5_000)
    assert.isAbove(removed, 1)
    assert.isNull(await store.findSession(user.id, sessionId, now))
    assert.lengthOf(await rows(), 0)
  })

  test('a step that fails keeps no later one from its work', async ({ assert, cleanup }) => {
    const user = await createUser()
    await db.transaction((trx) => issueOneTimeToken(user, { purpose: 'password_reset' }, trx))
    const { prune } = store
    cleanup(() => void (store.prune = prune))
    store.prune = () => Promise.reject(new Error('the store is slow'))
    const pruned = pruneExpired(Date.now() + tokens.refreshTtlMs)
    await assert.rejects(() => pruned, 'the store is slow')
    assert.lengthOf(await db.from('one_time_tokens').where('user_id', user.id), 0)
  })

  test('each failure is told without its statement', async ({ assert, cleanup }) => {
    const { prune } = store
    const { from } = db
    cleanup(() => void (store.prune = prune))
    store.prune = () => Promise.reject(new Error('delete from `a` - database is locked'))
    const down = Object.assign(new Error('select 1 - disk I/O error'), { code: 'SQLITE_IOERR' })
    const fail = (_: unknown, reject: (error: Error) => void) => reject(down)
    const query: object = new Proxy(() => {}, {
      get: (_, name) => (name === 'then' ? fail : query),
      apply: () => query,
    })
    Object.assign(db, { from: () => query })
    const failure = await pruneExpired().catch((error) => error)
    Object.assign(db, { from })
    assert.match(failure.message, /^database is locked; /)
    assert.notMatch(failure.message, /select|delete/i)
    assert.isTrue(isDependencyDown(failure))
  })

  test('a pending address {offset} ms from its end stays: {isKept}')
    .with([
      { offset: -1, isKept: true },
      { offset: 0, isKept: false },
      { offset: 1, isKept: false },
    ])
    .run(async ({ assert }, { offset, isKept }) => {
      const user = await createUser()
      const pendingEmail = someEmail()
      await user.merge({ pendingEmail, pendingEmailAt: DateTime.utc() }).save()
      await pruneExpired(user.pendingEmailLapsesAt + offset)
      await user.refresh()
      assert.equal(user.pendingEmail, isKept ? pendingEmail : null)
      assert.equal(user.pendingEmailAt === null, !isKept)
    })
})
