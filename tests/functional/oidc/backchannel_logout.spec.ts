import limits from '#config/limits'
import { randomUUID } from 'node:crypto'
import { freezeTime, test, timeTravel } from '@japa/runner'
import db from '@adonisjs/lucid/services/db'
import * as oidc from 'openid-client'
import { SYSTEM, userActor } from '#audit/actor'
import { pruneExpired } from '#maintenance/prune_expired'
import { concludeMfaChange } from '#auth/mfa/second_factor'
import { resetMfa } from '#users/reset_mfa'
import { endAllSessionsAs, endSessionAs } from '#auth/sessions/end_session'
import { addSession, endSession, listSessions } from '#auth/sessions/sessions'
import { deleteClient } from '#oidc/clients/clients'
import { revokeConsent } from '#oidc/grants/end_grants'
import { setPassword } from '#users/change_password'
import { deleteUser } from '#users/delete_user'
import { lockUser } from '#users/lock_user'
import { changeRole } from '#users/change_role'
import { disableUser } from '#users/disable_user'
import { createAdmin, PASSWORD, signedIn } from '#tests/support/fixtures'
import { logoutListener, sendLogoutTokens } from '#tests/support/logouts'
import { application, authorizationRequest, browserOf, tokensOf } from '#tests/support/oidc'
import { eventsThatEnd } from '#tests/support/webhooks'
import { someSession } from '../store/samples.ts'
import type { ApiClient } from '@japa/api-client'
import type { TestContext } from '@japa/runner/core'

const FROM = { ip: '203.0.113.9', userAgent: null }

type Answer = Parameters<typeof logoutListener>[0]

/** Signs a person in to an application that wants to be told of the end of the session. */
async function signedInto({ cleanup }: TestContext, answer: Answer = {}) {
  await sendLogoutTokens()
  const listener = await logoutListener(answer)
  cleanup(listener.close)
  await createAdmin()
  const user = await createAdmin()
  const app = await application({ kind: 'first_party', backchannelLogoutUri: listener.uri })
  const browser = await browserOf(user)
  const tokens = await tokensOf(app, browser, { scope: 'openid offline_access' })
  return { user, app, browser, tokens, listener, sessionId: tokens.claims()!.sid as string }
}

type Scene = Awaited<ReturnType<typeof signedInto>> & { client: ApiClient }

async function byDelete({ client, user, sessionId }: Scene) {
  const { headers } = await signedIn(client, user)
  const response = await client.delete(`/auth/sessions/${sessionId}`).headers(headers)
  response.assertStatus(200)
}

const ACCOUNT_SESSIONS = 'http://gatehouse.test/account/sessions'

async function onPage({ browser, sessionId }: Scene) {
  const page = await browser.open(ACCOUNT_SESSIONS)
  await browser.submit(page, new RegExp(`/sessions/${sessionId}/end$`))
}

/** The session of the browser is the oldest one, and is ended first. */
async function crowdOut({ client, user }: Scene) {
  for (let count = 0; count < limits.sessions - 1; count++) {
    await addSession(someSession(user.id, { createdAt: Date.now() + 1_000 + count }))
  }
  await signedIn(client, user)
}

async function presentTwice({ app, browser }: Scene) {
  const { url, checks } = await authorizationRequest(app)
  const answer = await browser.open(url)
  const redeem = () => oidc.authorizationCodeGrant(app.config, answer.url, checks)
  await redeem()
  await redeem().catch(() => {})
}

function enrolElsewhere({ user }: Scene) {
  const caller = { userId: user.id, sessionId: randomUUID(), actor: userActor(user.id, FROM) }
  return db.transaction((trx) => concludeMfaChange({ caller, user, isEnabled: true }, trx))
}

const ENDS: { what: string; end: (scene: Scene) => Promise<unknown> }[] = [
  { what: 'DELETE of the session', end: byDelete },
  { what: 'its end on the account page', end: onPage },
  { what: 'its end by others', end: (scene) => endSessionAs(...of(scene), SYSTEM) },
  { what: 'the end of all', end: ({ user }) => endAllSessionsAs(user.id, SYSTEM) },
  { what: 'disabling', end: ({ user }) => disableUser(user.id, {}, SYSTEM) },
  { what: 'another role', end: ({ user }) => changeRole(user.id, 'User', SYSTEM) },
  {
    what: 'another password',
    end: ({ user }) => setPassword(user, `${PASSWORD}2`, { actor: SYSTEM }),
  },
  { what: 'MFA elsewhere', end: enrolElsewhere },
  { what: 'a reset of MFA', end: ({ user }) => resetMfa(user.id, SYSTEM) },
  { what: 'deletion of the user', end: ({ user }) => deleteUser(user.id, SYSTEM) },
  { what: 'deletion of the client', end: ({ app }) => deleteClient(app.client.id, SYSTEM) },
  {
    what: 'withdrawal',
    end: ({ user, app }) =>
      revokeConsent({ userId: user.id, clientId: app.client.clientId }, SYSTEM),
  },
  {
    what: 'revocation by the client',
    end: ({ app, tokens }) => oidc.tokenRevocation(app.config, tokens.refresh_token!),
  },
  { what: 'a code that comes twice', end: presentTwice },
  { what: 'fifty sessions after it', end: crowdOut },
]

const of = ({ user, sessionId }: Scene) => [user.id, sessionId] as const

test.group('Back-channel logout | who is told', () => {
  test('the application and webhooks are told once of {what}')
    .with(ENDS)
    .run(async (context, { end }) => {
      const { assert, client } = context
      const scene = { ...(await signedInto(context)), client }
      await end(scene)
      await endSessionAs(...of(scene), SYSTEM)
      await sendLogoutTokens()
      const [claims, ...more] = scene.listener.claims()
      assert.containsSubset(claims, { sub: scene.user.id, sid: scene.sessionId })
      assert.lengthOf(more, 0)
      assert.lengthOf(await eventsThatEnd(scene.sessionId), 1)
    })

  test('a lock and a session that expired tell nothing', async (context) => {
    const scene = await signedInto(context)
    await lockUser(scene.user.id, Date.now() + 3_600_000, SYSTEM)
    freezeTime()
    for (let day = 0; day < 8; day++) timeTravel('1 day')
    await endAllSessionsAs(scene.user.id, SYSTEM)
    await pruneExpired()
    await sendLogoutTokens()
    context.assert.lengthOf(scene.listener.told, 0)
  })

  test('the end of another session tells nothing', async (context) => {
    const scene = await signedInto(context)
    const others = await listSessions(scene.user.id)
    for (const { id } of others) {
      if (id !== scene.sessionId) await endSessionAs(scene.user.id, id, SYSTEM)
    }
    await sendLogoutTokens()
    context.assert.lengthOf(scene.listener.told, 0)
  })

  test('an end that is rolled back tells nothing', async (context) => {
    const scene = await signedInto(context)
    const ending = db.transaction(async (trx) => {
      await endSession(...of(scene as Scene), trx)
      throw new Error('rolled back')
    })
    await context.assert.rejects(() => ending, 'rolled back')
    await sendLogoutTokens()
    context.assert.lengthOf(scene.listener.told, 0)
  })
})
