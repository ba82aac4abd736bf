import { test } from '@japa/runner'
import * as oidc from 'openid-client'
import store from '#auth/store/service'
import { endAllSessionsAs, endSessionAs } from '#auth/sessions/end_session'
import { setPassword } from '#users/change_password'
import { deleteUser } from '#users/delete_user'
import { lockUser } from '#users/lock_user'
import { changeRole } from '#users/change_role'
import { disableUser } from '#users/disable_user'
import { SYSTEM } from '#audit/actor'
import { deleteClient } from '#oidc/clients/clients'
import { revokeConsent } from '#oidc/grants/end_grants'
import { createAdmin, createUser, PASSWORD } from '#tests/support/fixtures'
import { application, authorizationRequest, browserOf, tokensOf } from '#tests/support/oidc'
import type User from '#models/user'
import type { Application } from '#tests/support/oidc'

const PARAMETERS = { scope: 'openid offline_access' }

async function signedInto() {
  await createAdmin()
  const user = await createAdmin()
  const app = await application({ kind: 'first_party' })
  const browser = await browserOf(user)
  const tokens = await tokensOf(app, browser, PARAMETERS)
  const sessionId = tokens.claims()!.sid as string
  return { user, app, browser, tokens, sessionId }
}

type Scene = Awaited<ReturnType<typeof signedInto>>

/** Returns `good`, or the OAuth error for the use of a token. */
async function outcomeOf(use: Promise<unknown>) {
  return use.then(
    () => 'good',
    (error) => error.error ?? error.cause?.[0]?.parameters?.error ?? String(error)
  )
}

const userInfo = ({ app, tokens }: Scene) =>
  outcomeOf(oidc.fetchUserInfo(app.config, tokens.access_token, oidc.skipSubjectCheck))

const refresh = ({ app, tokens }: Scene) =>
  outcomeOf(oidc.refreshTokenGrant(app.config, tokens.refresh_token!))

const ENDS: { what: string; end: (scene: Scene) => Promise<unknown> }[] = [
  { what: 'its end', end: ({ user, sessionId }) => endSessionAs(user.id, sessionId, SYSTEM) },
  { what: 'the end of all', end: ({ user }) => endAllSessionsAs(user.id, SYSTEM) },
  { what: 'disabling', end: ({ user }) => disableUser(user.id, {}, SYSTEM) },
  { what: 'demotion', end: ({ user }) => changeRole(user.id, 'User', SYSTEM) },
  {
    what: 'a new password',
    end: ({ user }) => setPassword(user, `${PASSWORD}2`, { actor: SYSTEM }),
  },
  { what: 'deletion of the user', end: ({ user }) => deleteUser(user.id, SYSTEM) },
  { what: 'deletion of the client', end: ({ app }) => deleteClient(app.client.id, SYSTEM) },
  {
    what: 'withdrawal',
    end: ({ user, app }) =>
      revokeConsent({ userId: user.id, clientId: app.client.clientId }, SYSTEM),
  },
  {
    what: 'revocation of the refresh token',
    end: ({ app, tokens }) => oidc.tokenRevocation(app.config, tokens.refresh_token!),
  },
]

test.group('OpenID provider | one truth of sessions', () => {
  test('a grant is listed as a session of its client', async ({ assert }) => {
    const { user, sessionId } = await signedInto()
    const sessions = await store.listSessions(user.id, Date.now())
    const session = sessions.find(({ id }) => id === sessionId)
    assert.equal(session?.deviceName, 'Grafana · Chrome on Linux')
  })

  test('a second sign-in of the browser is no other session', async ({ assert }) => {
    const { user, app, browser, sessionId } = await signedInto()
    const again = await tokensOf(app, browser, PARAMETERS)
    assert.equal(again.claims()!.sid, sessionId)
    assert.lengthOf(await store.listSessions(user.id, Date.now()), 2)
  })

  test('both tokens are refused after {what}')
    .with(ENDS)
    .run(async ({ assert }, { end }) => {
      const scene = await signedInto()
      assert.deepEqual([await userInfo(scene), await refresh(scene)], ['good', 'good'])
      await end(scene)
      assert.equal(await userInfo(scene), 'invalid_token')
      assert.match(await refresh(scene), /invalid_grant|invalid_client/)
    })

  test('a code is refused after {what}')
    .with(ENDS.slice(0, 6))
    .run(async ({ assert }, { end }) => {
      const scene = await signedInto()
      const { url, checks } = await authorizationRequest(scene.app, PARAMETERS)
      const answer = await scene.browser.open(url)
      await end(scene)
      const redeemed = oidc.authorizationCodeGrant(scene.app.config, answer.url, checks)
      assert.equal(await outcomeOf(redeemed), 'invalid_grant')
    })

  test('a lock lets a live grant go on and starts none', async ({ assert }) => {
    const scene = await signedInto()
    await lockUser(scene.user.id, Date.now() + 3_600_000, SYSTEM)
    assert.equal(await refresh(scene), 'good')
    const other = await application({ kind: 'first_party' })
    const answer = await ask(other, scene)
    assert.equal(answer, 'access_denied')
  })

  async function ask(app: Application, { browser }: { browser: Scene['browser'] }) {
    const { url } = await authorizationRequest(app, { prompt: 'none' })
    const answer = await browser.open(url)
    return answer.url.searchParams.get('error')
  }

  test('a user without a web session must sign in', async ({ assert }) => {
    const scene = await signedInto()
    await endAllSessionsAs(scene.user.id, SYSTEM)
    assert.equal(await ask(scene.app, scene), 'login_required')
  })

  test('of twenty redemptions at once one succeeds', async ({ assert }) => {
    const scene = await signedInto()
    const { url, checks } = await authorizationRequest(scene.app)
    const answer = await scene.browser.open(url)
    const redeem = () =>
      outcomeOf(oidc.authorizationCodeGrant(scene.app.config, answer.url, checks))
    const outcomes = await Promise.all(Array.from({ length: 20 }, redeem))
    assert.lengthOf(
      outcomes.filter((outcome) => outcome === 'good'),
      1
    )
    assert.equal(await userInfo(scene), 'good')
  })
})

export type { User }
void createUser

test.group('Session with an application | hostile data', () => {
  test('{what} leaves a session that is listed')
    .with([
      { what: 'a user agent of 500 characters', name: 'Grafana', userAgent: 'x'.repeat(500) },
      { what: 'a name of 100 letters', name: 'ש'.repeat(100), userAgent: 'curl/8.0' },
      { what: 'a name of another script', name: '<b>لوحة التحكم', userAgent: 'curl/8.0' },
    ])
    .run(async ({ assert }, { name, userAgent }) => {
      const user = await createUser()
      const app = await application({ kind: 'first_party', name })
      const browser = await browserOf(user)
      const { url, checks } = await authorizationRequest(app, PARAMETERS)
      const answer = await browser.open(url, { headers: { 'user-agent': userAgent } })
      const tokens = await oidc.authorizationCodeGrant(app.config, answer.url, checks)
      const sessions = await store.listSessions(user.id, Date.now())
      const session = sessions.find(({ id }) => id === tokens.claims()!.sid)!
      assert.equal(session.deviceName.split(' · ')[0], name.slice(0, 60))
      assert.equal(session.userAgent, userAgent)
    })
})
