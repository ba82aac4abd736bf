import { test } from '@japa/runner'
import * as oidc from 'openid-client'
import { listSessions } from '#auth/sessions/sessions'
import { createUser, PASSWORD, signedIn } from '#tests/support/fixtures'
import { logoutListener, sendLogoutTokens } from '#tests/support/logouts'
import {
  application,
  authorizationRequest,
  Browser,
  browserOf,
  tokensOf,
  type Page,
} from '#tests/support/oidc'
import settings from '#config/oidc'
import type User from '#models/user'

const OFFLINE = 'openid offline_access'

/** Signs one browser in to two applications: one stays signed in, one does not. */
async function signedInto(backchannelLogoutUri: string | null = null) {
  const user = await createUser()
  const browser = await browserOf(user)
  const [offline, online] = await Promise.all(
    ['Offline', 'Online'].map((name) =>
      application({ name, kind: 'first_party', backchannelLogoutUri })
    )
  )
  const kept = await tokensOf(offline, browser, { scope: OFFLINE })
  const lost = await tokensOf(online, browser, { scope: 'openid' })
  return { user, browser, offline, online, kept, lost }
}

type Scene = Awaited<ReturnType<typeof signedInto>>

async function signOut({ browser }: { browser: Browser }) {
  const page = await browser.open(`${settings.issuer}/sign-out`)
  await browser.submit(page, /^\/sign-out$/)
}

async function logOut({ browser, lost }: Scene) {
  const query = new URLSearchParams({ id_token_hint: lost.id_token! })
  await browser.open(`${settings.issuer}/oauth/logout?${query}`)
}

async function logOutItself({ browser, kept }: Scene) {
  const query = new URLSearchParams({ id_token_hint: kept.id_token! })
  await browser.open(`${settings.issuer}/oauth/logout?${query}`)
}

const WAYS = [
  { way: 'the page', leave: signOut },
  { way: 'an application', leave: logOut },
  { way: 'the application itself', leave: logOutItself },
]

test.group('Sign-out of a browser | sessions with applications', () => {
  test('those with offline_access stay listed after a sign-out by {way}')
    .with(WAYS)
    .run(async ({ assert }, { leave }) => {
      const scene = await signedInto()
      await leave(scene)
      const sessions = await listSessions(scene.user.id)
      assert.deepEqual(
        sessions.map(({ clientId }) => clientId),
        [scene.offline.client.clientId]
      )
      const { config } = scene.offline
      await assert.doesNotReject(() => oidc.refreshTokenGrant(config, scene.kept.refresh_token!))
      const info = oidc.fetchUserInfo(scene.online.config, scene.lost.access_token, scene.user.id)
      await assert.rejects(() => info)
    })

  test('everywhere ends those with offline_access too', async ({ client, assert }) => {
    const scene = await signedInto()
    const { headers } = await signedIn(client, scene.user)
    const response = await client.post('/auth/logout-all').headers(headers)
    response.assertStatus(200)
    const { config } = scene.offline
    await assert.rejects(() => oidc.refreshTokenGrant(config, scene.kept.refresh_token!))
    assert.isEmpty(await listSessions(scene.user.id))
  })

  test('both applications are told', async ({ assert, cleanup }) => {
    const { told, close, uri } = await logoutListener()
    cleanup(close)
    const scene = await signedInto(uri)
    await signOut(scene)
    await sendLogoutTokens()
    assert.lengthOf(told, 2)
  })

  test('another sign-in of the same browser ends none', async ({ assert }) => {
    const scene = await signedInto()
    const again = await browserOf(scene.user)
    await signOut({ browser: again })
    assert.lengthOf(await listSessions(scene.user.id), 3)
  })
})

test.group('Sign-out of a browser | two forms of it', () => {
  /** Sends two forms that each lead to an application. The second sign-in replaces the first. */
  async function signInTwice(users: User[]) {
    const browser = new Browser()
    const forms: Page[] = []
    for (const name of ['First', 'Second']) {
      const app = await application({ name, kind: 'first_party' })
      const { url } = await authorizationRequest(app, { scope: 'openid' })
      forms.push(await browser.open(url))
    }
    for (const [at, { email }] of users.entries())
      await browser.submit(forms[at], /^\/sign-in$/, { email, password: PASSWORD })
    return { browser }
  }

  test('one sign-out ends both applications', async ({ assert }) => {
    const user = await createUser()
    const scene = await signInTwice([user, user])
    const sessions = await listSessions(user.id)
    assert.lengthOf(sessions, 3)
    await signOut(scene)
    assert.isEmpty(await listSessions(user.id))
  })

  test('another user ends what the first one began', async ({ assert }) => {
    const [before, user] = [await createUser(), await createUser()]
    await signInTwice([before, user])
    assert.isEmpty(await listSessions(before.id))
    assert.lengthOf(await listSessions(user.id), 2)
  })
})
