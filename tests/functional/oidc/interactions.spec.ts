import { freezeTime, test, timeTravel } from '@japa/runner'
import * as oidc from 'openid-client'
import settings from '#config/oidc'
import { endAllSessionsAs } from '#auth/sessions/end_session'
import { listSessions } from '#auth/sessions/sessions'
import { setPassword } from '#users/change_password'
import { deleteUser } from '#users/delete_user'
import { lockUser } from '#users/lock_user'
import { changeRole } from '#users/change_role'
import { disableUser } from '#users/disable_user'
import { SYSTEM } from '#audit/actor'
import { createUser, PASSWORD } from '#tests/support/fixtures'
import {
  application,
  type Application,
  authorizationRequest,
  Browser,
  browserOf,
  type Page,
  REDIRECT,
  shownPath,
} from '#tests/support/oidc'
import type User from '#models/user'

const AT_APP = new URL(REDIRECT).origin
const SIGN_IN = /^\/sign-in$/
const INTERACTION = /^\/oauth\/interaction\//

function signIn(browser: Browser, page: Page, { email }: User) {
  return browser.submit(page, SIGN_IN, { email, password: PASSWORD })
}

const allow = (browser: Browser, page: Page) =>
  browser.submit(page, INTERACTION, { decision: 'allow' })

const refuse = (browser: Browser, page: Page) =>
  browser.submit(page, INTERACTION, { decision: 'refuse' })

async function start(
  app: Application,
  parameters: Record<string, string> = {},
  at = new Browser()
) {
  const { url, checks } = await authorizationRequest(app, parameters)
  return { browser: at, checks, page: await at.open(url) }
}

test.group('Interaction | sign-in and consent', () => {
  test('a stranger signs in, consents and is back with a code', async ({ assert }) => {
    const user = await createUser()
    const app = await application()
    const { browser, checks, page } = await start(app)
    assert.equal(shownPath(page), '/sign-in')
    const consent = await signIn(browser, page, user)
    assert.match(consent.url.pathname, INTERACTION)
    assert.include(consent.html, 'Grafana')
    assert.include(consent.html, 'app.example.org')
    const answer = await allow(browser, consent)
    assert.equal(answer.url.origin, AT_APP)
    const tokens = await oidc.authorizationCodeGrant(app.config, answer.url, checks)
    assert.equal(tokens.claims()!.sub, user.id)
  })

  test('the sign-in page names the application', async ({ assert }) => {
    const { page } = await start(await application({ name: 'Grafana <b>of the lab' }))
    assert.include(page.html, 'To continue to Grafana &lt;b&gt;of the lab')
  })

  test('the sign-in page names the host, or this computer', async ({ assert }) => {
    const remote = await start(await application())
    const local = await start(
      await application({ redirectUris: ['http://127.0.0.1:4000/callback'] }),
      {
        redirect_uri: 'http://127.0.0.1:4000/callback',
      }
    )
    assert.include(remote.page.html, new URL(AT_APP).host)
    assert.include(local.page.html, 'an application on this computer')
    assert.notInclude(local.page.html, 'leads to 127.0.0.1')
  })

  test('the sign-in page of an unknown interaction names nothing', async ({ client, assert }) => {
    const response = await client.get('/sign-in?next=/oauth/interaction/unknown')
    response.assertStatus(200)
    assert.notInclude(response.text(), 'To continue to')
  })

  test('a wrong password leaves the name of the application', async ({ assert }) => {
    const user = await createUser()
    const { browser, page } = await start(await application())
    const fields = { email: user.email, password: 'Wrong-h0rse!' }
    const again = await browser.submit(page, /^\/sign-in$/, fields)
    assert.include(again.html, 'To continue to Grafana')
  })

  test('who has to choose another password goes on afterwards', async ({ assert }) => {
    const user = await createUser()
    await setPassword(user, PASSWORD, { actor: SYSTEM, mustChange: true })
    const { browser, page } = await start(await application({ kind: 'first_party' }))
    const choice = await signIn(browser, page, user)
    const password = `${PASSWORD}2`
    const answer = await browser.submit(choice, /^\/sign-in\/password$/, { password })
    assert.isNotNull(answer.url.searchParams.get('code'))
  })

  test('what was allowed is not asked again, more is', async ({ assert }) => {
    const app = await application()
    const browser = await browserOf(await createUser())
    const first = await start(app, { scope: 'openid profile' }, browser)
    await allow(browser, first.page)
    const again = await start(app, { scope: 'openid profile' }, browser)
    assert.equal(again.page.url.origin, AT_APP)
    const more = await start(app, { scope: 'openid profile email' }, browser)
    assert.match(more.page.url.pathname, INTERACTION)
  })

  test('prompt=consent asks again', async ({ assert }) => {
    const app = await application()
    const browser = await browserOf(await createUser())
    const first = await start(app, {}, browser)
    await allow(browser, first.page)
    const { page } = await start(app, { prompt: 'consent' }, browser)
    assert.match(page.url.pathname, INTERACTION)
    const answer = await allow(browser, page)
    assert.isNotNull(answer.url.searchParams.get('code'))
  })

  test('a refusal leads back with access_denied', async ({ assert }) => {
    const browser = await browserOf(await createUser())
    const { page } = await start(await application(), {}, browser)
    const answer = await refuse(browser, page)
    assert.equal(answer.url.searchParams.get('error'), 'access_denied')
    assert.equal(answer.url.searchParams.get('iss'), settings.issuer)
  })

  test('another account in the meantime consents for itself', async ({ assert }) => {
    const [one, other] = [await createUser(), await createUser()]
    const browser = await browserOf(one)
    const { page } = await start(await application(), {}, browser)
    const elsewhere = await browserOf(other)
    for (const [name, value] of elsewhere.cookies) browser.cookies.set(name, value)
    const again = await allow(browser, page)
    assert.match(again.url.pathname, INTERACTION)
    assert.include(again.html, other.email)
  })

  test('“Use another account” signs out, and the other goes on', async ({ assert }) => {
    const [one, other] = [await createUser(), await createUser()]
    const app = await application()
    const { browser, checks, page } = await start(app, {}, await browserOf(one))
    const asked = await browser.submit(page, /^\/sign-out$/)
    assert.equal(asked.url.pathname, '/sign-in')
    const consent = await signIn(browser, asked, other)
    assert.include(consent.html, other.email)
    const answer = await allow(browser, consent)
    const tokens = await oidc.authorizationCodeGrant(app.config, answer.url, checks)
    assert.equal(tokens.claims()!.sub, other.id)
    assert.lengthOf(await listSessions(one.id), 0)
  })

  test('the interaction of another browser is none', async ({ assert }) => {
    const { page } = await start(await application(), {}, await browserOf(await createUser()))
    const stranger = await browserOf(await createUser())
    const answer = await stranger.open(page.url)
    assert.equal(answer.response.status, 404)
  })

  test('a form of nowhere is refused by a page', async ({ assert }) => {
    const browser = await browserOf(await createUser())
    const { page } = await start(await application(), {}, browser)
    const forged = await browser.open(page.url, { method: 'POST', body: new URLSearchParams() })
    assert.equal(forged.response.status, 403)
    assert.match(forged.response.headers.get('content-type')!, /^text\/html/)
  })

  test('a first party is never asked for consent', async ({ assert }) => {
    const app = await application({ kind: 'first_party' })
    const browser = await browserOf(await createUser())
    const { page } = await start(app, { prompt: 'consent' }, browser)
    assert.equal(page.url.origin, AT_APP)
  })
})

test.group('Interaction | another proof', () => {
  const firstParty = () => application({ kind: 'first_party' })
  const CONFIRM = /^\/confirm$/

  test('prompt=login asks who is signed in for the password', async ({ assert }) => {
    freezeTime()
    const user = await createUser()
    const browser = await browserOf(user)
    timeTravel(5_000)
    const { page } = await start(await firstParty(), { prompt: 'login' }, browser)
    assert.equal(page.url.pathname, '/confirm')
    timeTravel(5_000)
    const answer = await browser.submit(page, CONFIRM, { password: PASSWORD })
    assert.isNotNull(answer.url.searchParams.get('code'))
  })

  test('a sign-in for prompt=login is asked for once', async ({ assert }) => {
    const user = await createUser()
    const { browser, page } = await start(await firstParty(), { prompt: 'login' })
    const answer = await signIn(browser, page, user)
    assert.isNotNull(answer.url.searchParams.get('code'))
  })

  test('max_age of {maxAge} s after {age} s asks: {isAsked}')
    .with([
      { maxAge: '60', age: 59, isAsked: false },
      { maxAge: '60', age: 61, isAsked: true },
    ])
    .run(async ({ assert }, { maxAge, age, isAsked }) => {
      freezeTime()
      const browser = await browserOf(await createUser())
      timeTravel(age * 1_000)
      const { page } = await start(await firstParty(), { max_age: maxAge }, browser)
      assert.equal(page.url.pathname === '/confirm', isAsked)
    })

  test('acr_values of {acr_values} lead to {end}')
    .with([
      { acr_values: 'urn:example:gold', end: AT_APP },
      { acr_values: 'urn:example:gold urn:gatehouse:acr:pwd', end: AT_APP },
      { acr_values: 'urn:example:gold urn:gatehouse:acr:mfa', end: settings.issuer },
    ])
    .run(async ({ assert }, { end, ...parameters }) => {
      const browser = await browserOf(await createUser())
      const { page } = await start(await firstParty(), parameters, browser)
      assert.equal(page.url.origin, end)
    })

  test('a user without a second factor can go back', async ({ assert }) => {
    const browser = await browserOf(await createUser())
    const parameters = { acr_values: 'urn:gatehouse:acr:mfa' }
    const { page } = await start(await firstParty(), parameters, browser)
    assert.equal(page.response.status, 403)
    const answer = await refuse(browser, page)
    assert.equal(answer.url.searchParams.get('error'), 'unmet_authentication_requirements')
  })
})

/* What happens to the person × the step that follows it. */

const ENDS: { what: string; end: (user: User) => Promise<unknown>; canGoOn?: boolean }[] = [
  { what: 'signed out', end: (user) => endAllSessionsAs(user.id, SYSTEM) },
  { what: 'disabled', end: (user) => disableUser(user.id, {}, SYSTEM) },
  { what: 'given another role', end: (user) => changeRole(user.id, 'Admin', SYSTEM) },
  {
    what: 'given another password',
    end: (user) => setPassword(user, `${PASSWORD}2`, { actor: SYSTEM }),
  },
  { what: 'deleted', end: (user) => deleteUser(user.id, SYSTEM) },
  { what: 'locked', end: (user) => lockUser(user.id, Date.now() + 3_600_000, SYSTEM) },
]

test.group('Interaction | the person is gone', () => {
  test('who is {what} before the consent gets no code')
    .with(ENDS)
    .run(async ({ assert }, { end }) => {
      const user = await createUser()
      const browser = await browserOf(user)
      const { page } = await start(await application(), {}, browser)
      await end(user)
      const answer = await allow(browser, page)
      assert.isNull(answer.url.searchParams.get('code'))
    })

  test('who is {what} before the code is redeemed gets what the contract says')
    .with(ENDS)
    .run(async ({ assert }, { what, end }) => {
      const user = await createUser()
      const browser = await browserOf(user)
      const app = await application()
      const { page, checks } = await start(app, {}, browser)
      const answer = await allow(browser, page)
      await end(user)
      const redeem = () => oidc.authorizationCodeGrant(app.config, answer.url, checks)
      if (what === 'locked') await assert.doesNotReject(redeem)
      else await assert.rejects(redeem)
    })
})
