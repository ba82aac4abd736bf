import { freezeTime, test, timeTravel } from '@japa/runner'
import * as oidc from 'openid-client'
import settings from '#config/oidc'
import { SYSTEM } from '#audit/actor'
import { endSessionAs } from '#auth/sessions/end_session'
import { listSessions } from '#auth/sessions/sessions'
import { giveConsent } from '#oidc/consents/consents'
import { revokeConsent } from '#oidc/grants/end_grants'
import { lockUser } from '#users/lock_user'
import { createUser, PASSWORD } from '#tests/support/fixtures'
import { application, Browser, browserOf, tokensOf } from '#tests/support/oidc'
import type User from '#models/user'
import type { ClientKind } from '#oidc/clients/client'

/* OpenID Connect RP-Initiated Logout 1.0. */

const AFTER = 'https://app.example.org/goodbye'
const CONFIRM = /^\/oauth\/logout\/confirm$/

async function signedInto(kind: ClientKind, user?: User, at?: Browser) {
  const owner = user ?? (await createUser())
  const browser = at ?? (await browserOf(owner))
  const app = await application({ kind, postLogoutRedirectUris: [AFTER] })
  const consent = { userId: owner.id, clientId: app.client.clientId }
  if (kind === 'third_party') {
    const access = { scopes: ['openid', 'profile', 'email', 'offline_access'], resources: [] }
    await giveConsent(consent, access, SYSTEM)
  }
  const tokens = await tokensOf(app, browser, { scope: 'openid' })
  return { user: owner, consent, app, browser, tokens, hint: tokens.id_token! }
}

type Scene = Awaited<ReturnType<typeof signedInto>>

async function signIn(browser: Browser, { email }: User) {
  const page = await browser.open(`${settings.issuer}/sign-in`)
  await browser.submit(page, /^\/sign-in$/, { email, password: PASSWORD })
}

/** The logout request of an application that identifies itself only by its ID token. */
function logoutUrl(parameters: Record<string, string>) {
  return `${settings.issuer}/oauth/logout?${new URLSearchParams(parameters)}`
}

const BACK = { post_logout_redirect_uri: AFTER, state: 'abc' }

const byHint = ({ hint }: Scene, more: Record<string, string> = BACK) =>
  logoutUrl({ id_token_hint: hint, ...more })

const clientsOf = async ({ user }: Scene) => {
  const sessions = await listSessions(user.id)
  return sessions.map(({ clientId }) => clientId)
}

test.group('Logout | by the ID token of a first party', () => {
  test('is done at once and leads back with the state', async ({ assert }) => {
    const scene = await signedInto('first_party')
    const answer = await scene.browser.request(byHint(scene))
    assert.equal(answer.status, 303)
    assert.equal(answer.headers.get('location'), `${AFTER}?state=abc`)
    assert.isEmpty(await listSessions(scene.user.id))
    const info = oidc.fetchUserInfo(scene.app.config, scene.tokens.access_token, scene.user.id)
    await assert.rejects(() => info)
  })

  test('leads back with every character of the state', async ({ assert }) => {
    const scene = await signedInto('first_party')
    const given = byHint(scene, { post_logout_redirect_uri: AFTER })
    // A query may contain a comma and a question mark unescaped (RFC 3986, section 3.4).
    const answer = await scene.browser.request(`${given}&state=a,b?c:/'%60%5B%23%26%3D%25`)
    const { searchParams } = new URL(answer.headers.get('location')!)
    assert.deepEqual([...searchParams], [['state', "a,b?c:/'`[#&=%"]])
  })

  test('without an address ends on our page', async ({ assert }) => {
    const scene = await signedInto('first_party')
    const page = await scene.browser.open(byHint(scene, {}))
    assert.include(page.html, 'You are signed out')
    assert.isEmpty(await listSessions(scene.user.id))
  })

  test('is done by one that has expired', async ({ assert }) => {
    freezeTime()
    const scene = await signedInto('first_party')
    timeTravel(settings.idTokenSeconds * 1_000 + 60_000)
    const { url } = await scene.browser.open(byHint(scene))
    assert.equal(url.href, `${AFTER}?state=abc`)
    assert.isEmpty(await listSessions(scene.user.id))
  })

  const ENDS: { by: string; end: (scene: Scene) => Promise<unknown> }[] = [
    {
      by: 'the user',
      end: ({ user, tokens }) => endSessionAs(user.id, String(tokens.claims()!.sid), SYSTEM),
    },
    { by: 'a withdrawn consent', end: ({ consent }) => revokeConsent(consent, SYSTEM) },
  ]

  test('is done by one whose session was ended by {by}')
    .with(ENDS)
    .run(async ({ assert }, { end }) => {
      const scene = await signedInto('first_party')
      await end(scene)
      const { url } = await scene.browser.open(byHint(scene))
      assert.equal(url.href, `${AFTER}?state=abc`)
      assert.isEmpty(await listSessions(scene.user.id))
    })

  test('is done after a sign-out and another sign-in of this browser', async ({ assert }) => {
    const [user, browser] = [await createUser(), new Browser()]
    await signIn(browser, user)
    const scene = await signedInto('first_party', user, browser)
    await browser.submit(await browser.open(`${settings.issuer}/sign-out`), /^\/sign-out$/)
    await signIn(browser, user)
    const { url } = await browser.open(byHint(scene))
    assert.equal(url.href, `${AFTER}?state=abc`)
    assert.isEmpty(await listSessions(user.id))
  })

  test('of a known browser asks in another one', async ({ assert }) => {
    const [user, browser, elsewhere] = [await createUser(), new Browser(), new Browser()]
    for (const each of [browser, elsewhere]) await signIn(each, user)
    const scene = await signedInto('first_party', user, browser)
    const page = await elsewhere.open(byHint(scene))
    assert.include(page.html, 'Grafana asks to sign you out')
    assert.lengthOf(await listSessions(user.id), 3)
  })

  test('is done for a user who is locked', async ({ assert }) => {
    const scene = await signedInto('first_party')
    await lockUser(scene.user.id, Date.now() + 60_000, SYSTEM)
    const { url } = await scene.browser.open(byHint(scene))
    assert.equal(url.href, `${AFTER}?state=abc`)
  })

  test('of another browser asks and ends nothing', async ({ assert }) => {
    const scene = await signedInto('first_party')
    const elsewhere = await browserOf(scene.user)
    const page = await elsewhere.open(byHint(scene))
    assert.include(page.html, 'Grafana asks to sign you out')
    assert.lengthOf(await listSessions(scene.user.id), 3)
  })

  test('of another user asks and ends nothing', async ({ assert }) => {
    const scene = await signedInto('first_party')
    const other = await createUser()
    const browser = await browserOf(other)
    const page = await browser.open(byHint(scene))
    assert.include(page.html, 'Sign out?')
    assert.lengthOf(await listSessions(scene.user.id), 2)
    assert.lengthOf(await listSessions(other.id), 1)
  })
})

test.group('Logout | by the ID token of a third party', () => {
  test('ends its own session and asks for the rest', async ({ assert }) => {
    const scene = await signedInto('third_party')
    const other = await signedInto('first_party', scene.user, scene.browser)
    const page = await scene.browser.open(byHint(scene))
    assert.include(page.html, 'Grafana has signed you out')
    assert.include(page.html, `href="${AFTER}?state=abc"`)
    assert.sameMembers(await clientsOf(scene), [null, other.app.client.clientId])
    const answer = await scene.browser.submit(page, CONFIRM)
    assert.equal(answer.url.href, `${AFTER}?state=abc`)
    assert.isEmpty(await listSessions(scene.user.id))
  })

  test('asks again for one that has ended', async ({ assert }) => {
    const scene = await signedInto('third_party')
    await scene.browser.open(byHint(scene))
    const again = await scene.browser.open(byHint(scene))
    assert.include(again.html, 'Grafana has signed you out')
    assert.sameMembers(await clientsOf(scene), [null])
  })
})

test.group('Logout | by a hint that proves nothing', () => {
  const [HEADER, CLAIMS, SIGNATURE] = [0, 1, 2]

  function changed(hint: string, part: number) {
    const parts = hint.split('.')
    parts[part] = parts[part].replace(/.(?=..$)/, (letter) => (letter === 'A' ? 'B' : 'A'))
    return parts.join('.')
  }

  test('{what} is asked about in words and leads nowhere')
    .with([
      { what: 'text', change: () => 'malformed' },
      { what: 'three dots', change: () => '...' },
      { what: 'a JWT of nothing', change: () => 'e30.e30.e30' },
      { what: 'another header', change: (hint: string) => changed(hint, HEADER) },
      { what: 'other claims', change: (hint: string) => changed(hint, CLAIMS) },
      { what: 'another signature', change: (hint: string) => changed(hint, SIGNATURE) },
    ])
    .run(async ({ assert }, { change }) => {
      const scene = await signedInto('first_party')
      const hint = change(scene.hint)
      const page = await scene.browser.open(logoutUrl({ id_token_hint: hint, ...BACK }))
      assert.equal(page.response.status, 200)
      assert.include(page.html, 'we could not check which one')
      assert.lengthOf(await listSessions(scene.user.id), 2)
      const answer = await scene.browser.submit(page, CONFIRM)
      assert.include(answer.html, 'You are signed out')
      assert.isEmpty(await listSessions(scene.user.id))
    })

  test('{what} asks and leads nowhere')
    .with([
      { what: 'no parameter', parameters: {} },
      { what: 'a state alone', parameters: { state: 'abc' } },
      { what: 'an address alone', parameters: BACK },
    ])
    .run(async ({ assert }, { parameters }) => {
      const scene = await signedInto('first_party')
      const page = await scene.browser.open(logoutUrl(parameters as Record<string, string>))
      assert.lengthOf(await listSessions(scene.user.id), 2)
      const answer = await scene.browser.submit(page, CONFIRM)
      assert.include(answer.html, 'You are signed out')
    })

  test('{what} is refused, even with a good hint')
    .with([
      { what: 'another address', change: { post_logout_redirect_uri: 'https://evil.example/' } },
      { what: 'a query more', change: { post_logout_redirect_uri: `${AFTER}?more=1` } },
      { what: 'another client', change: { client_id: 'unknown' } },
    ])
    .run(async ({ assert }, { change }) => {
      const scene = await signedInto('first_party')
      const page = await scene.browser.open(byHint(scene, { ...BACK, ...change } as any))
      assert.equal(page.response.status, 400)
      assert.notInclude(page.html, '()')
      assert.lengthOf(await listSessions(scene.user.id), 2)
    })
})
