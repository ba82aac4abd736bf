import { test } from '@japa/runner'
import { v7 as uuidv7 } from 'uuid'
import * as oidc from 'openid-client'
import db from '@adonisjs/lucid/services/db'
import limits from '#config/limits'
import { startSession } from '#auth/sessions/sessions'
import { BY_PASSWORD } from '#auth/sessions/authentication'
import { endSessionAs } from '#auth/sessions/end_session'
import { SYSTEM } from '#audit/actor'
import { BATCH_SIZE } from '#database/batches'
import { lastGrantTimes, usersWithGrantAfter } from '#oidc/records/grant_rows'
import { upsertRecord } from '#oidc/records/record_rows'
import { createUser } from '#tests/support/fixtures'
import { application, browserOf, tokensOf } from '#tests/support/oidc'

/*
 | The end of a session removes its grant. A user who starts and ends sessions in turn would
 | otherwise leave more grants than one change can process.
 */

async function signedInto(scope = 'openid offline_access') {
  const user = await createUser()
  const app = await application({ kind: 'first_party' })
  const browser = await browserOf(user)
  const tokens = await tokensOf(app, browser, { scope })
  const sessionId = tokens.claims()!.sid as string
  return { user, app, browser, tokens, sessionId }
}

async function grantsOf({ id }: { id: string }) {
  const rows = await db.from('oauth_records').where({ kind: 'Grant', user_id: id })
  return rows.map((row) => row.grant_id as string)
}

test.group('Grants | of sessions that ended', () => {
  test('sessions that begin and end in turn leave none', async ({ assert }) => {
    const { user, app, browser, sessionId } = await signedInto()
    let id = sessionId
    for (let turn = 0; turn < 3; turn++) {
      await endSessionAs(user.id, id, SYSTEM)
      assert.isEmpty(await grantsOf(user))
      const tokens = await tokensOf(app, browser, { scope: 'openid' })
      id = tokens.claims()!.sid as string
    }
    assert.deepEqual(await grantsOf(user), [id])
  })

  test('a session beyond the limit takes its grant along', async ({ assert }) => {
    const { user, sessionId } = await signedInto()
    for (let count = 0; count < limits.sessions; count++) {
      const device = { id: `device ${count}`, ip: '203.0.113.9', userAgent: null }
      await startSession(user, { device, ...BY_PASSWORD })
    }
    assert.notInclude(await grantsOf(user), sessionId)
  })

  test('a sign-out of the browser leaves a session that goes on', async ({ assert }) => {
    const { user, app, browser, tokens, sessionId } = await signedInto()
    const page = await browser.open('http://gatehouse.test/account')
    await browser.submit(page, /^\/sign-out/)
    assert.deepEqual(await grantsOf(user), [sessionId])
    const renewed = await oidc.refreshTokenGrant(app.config, tokens.refresh_token!)
    assert.isString(renewed.access_token)
  })

  test('the list of clients still knows when one was used', async ({ assert }) => {
    const { user, app, sessionId } = await signedInto()
    const { clientId } = app.client
    const before = await lastGrantTimes([clientId])
    await endSessionAs(user.id, sessionId, SYSTEM)
    assert.deepEqual(await lastGrantTimes([clientId]), before)
    assert.closeTo(before.get(clientId)!, Date.now(), 60_000)
  })
})

test.group('Grants | with many records', () => {
  test('a revocation deletes a batch of them, and none is good any more', async ({ assert }) => {
    const { user, app, tokens, sessionId } = await signedInto()
    const { clientId } = app.client
    const content = { payload: '{}', expiresAt: Date.now() + 60_000, clientId, userId: user.id }
    for (let count = 0; count <= BATCH_SIZE; count++)
      await upsertRecord({ kind: 'RefreshToken', id: uuidv7() }, { ...content, grantId: sessionId })
    const rows = () => db.from('oauth_records').where('grant_id', sessionId)
    const { length: before } = await rows()
    await oidc.tokenRevocation(app.config, tokens.refresh_token!)
    assert.lengthOf(await rows(), before - 1 - BATCH_SIZE)
    assert.isEmpty(await grantsOf(user))
    await assert.rejects(() => oidc.refreshTokenGrant(app.config, tokens.refresh_token!))
  })

  test('users with a grant come in pages', async ({ assert }) => {
    const { client } = await application()
    const users = await Promise.all([1, 2, 3].map(() => createUser({ password: null })))
    const expiresAt = Date.now() + 60_000
    for (const { id: userId } of [...users, ...users]) {
      const grantId = uuidv7()
      const content = { payload: '{}', expiresAt, clientId: client.clientId, userId, grantId }
      await upsertRecord({ kind: 'Grant', id: grantId }, content)
    }
    const found = new Set<string>()
    let [after, pages]: [Parameters<typeof usersWithGrantAfter>[1]['after'], number] = [null, 0]
    do {
      const page = await usersWithGrantAfter(client.clientId, { after, limit: 2 })
      for (const id of page.userIds) found.add(id)
      after = page.next
      pages++
    } while (after)
    assert.sameMembers(
      [...found],
      users.map(({ id }) => id)
    )
    assert.equal(pages, 4)
  })
})
