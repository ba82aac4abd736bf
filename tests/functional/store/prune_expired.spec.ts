import { test } from '@japa/runner'
import db from '@adonisjs/lucid/services/db'
import store from '#auth/store/service'
import tokens from '#config/tokens'
import { issueOneTimeToken } from '#auth/tokens/issue_one_time_token'
import { pruneExpired } from '#auth/prune_expired'
import { createUser, signedIn } from '#tests/fixtures'

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
})
