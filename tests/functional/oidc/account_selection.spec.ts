import { freezeTime, test, timeTravel } from '@japa/runner'
import settings from '#config/oidc'
import { cookieName } from '#config/cookies'
import { listSessions } from '#auth/sessions/sessions'
import { createUser, PASSWORD } from '#tests/support/fixtures'
import {
  application,
  type Application,
  authorizationRequest,
  Browser,
  browserOf,
  nextOf,
  type Page,
  shownPath,
  tokensOf,
} from '#tests/support/oidc'
import type User from '#models/user'

const SIGN_IN = /^\/sign-in$/
const SIGN_OUT = /^\/sign-out$/
const INTERACTION = /^\/oauth\/interaction\//

const firstParty = () => application({ kind: 'first_party' })

async function start(app: Application, browser: Browser, parameters: Record<string, string> = {}) {
  const asked = { scope: 'openid', prompt: 'select_account', ...parameters }
  const { url } = await authorizationRequest(app, asked)
  return browser.open(url)
}

const signIn = (browser: Browser, page: Page, { email }: User) =>
  browser.submit(page, SIGN_IN, { email, password: PASSWORD })

const choose = (browser: Browser, page: Page) =>
  browser.submit(page, INTERACTION, { decision: 'allow' })

test.group('Account selection | prompt=select_account', () => {
  test('asks who is signed in, and goes on as this user', async ({ assert }) => {
    const user = await createUser()
    const browser = await browserOf(user)
    const page = await start(await firstParty(), browser)
    assert.match(page.url.pathname, INTERACTION)
    assert.include(page.html, `Continue as ${user.email}`)
    const answer = await choose(browser, page)
    assert.isNotNull(answer.url.searchParams.get('code'))
  })

  test('a sign-in for the request is a choice', async ({ assert }) => {
    const user = await createUser()
    const browser = new Browser()
    const page = await start(await firstParty(), browser)
    assert.equal(shownPath(page), '/sign-in')
    const answer = await signIn(browser, page, user)
    assert.isNotNull(answer.url.searchParams.get('code'))
  })

  test('a sign-in in another tab is no choice', async ({ assert }) => {
    const user = await createUser()
    const browser = new Browser()
    const page = await start(await firstParty(), browser)
    await signIn(browser, await browser.open(`${settings.issuer}/sign-in`), user)
    const asked = await browser.open(new URL(nextOf(page)!, page.url))
    assert.include(asked.html, `Continue as ${user.email}`)
  })

  test('with prompt=login asks for the password, then for the account', async ({ assert }) => {
    freezeTime()
    const browser = await browserOf(await createUser())
    timeTravel(5_000)
    const confirm = await start(await firstParty(), browser, { prompt: 'login select_account' })
    assert.equal(confirm.url.pathname, '/confirm')
    timeTravel(5_000)
    const page = await browser.submit(confirm, /^\/confirm$/, { password: PASSWORD })
    assert.include(page.html, 'Continue as')
    const answer = await choose(browser, page)
    assert.isNotNull(answer.url.searchParams.get('code'))
  })

  test('beside prompt=none is refused', async ({ assert }) => {
    const browser = await browserOf(await createUser())
    const page = await start(await firstParty(), browser, { prompt: 'none select_account' })
    assert.equal(page.url.searchParams.get('error'), 'invalid_request')
  })

  test('a third party asks for consent after it', async ({ assert }) => {
    const browser = await browserOf(await createUser())
    const page = await start(await application(), browser)
    const consent = await choose(browser, page)
    assert.include(consent.html, 'Grafana would like to:')
  })

  test('a choice counts for the user of its page alone', async ({ assert }) => {
    const other = await createUser()
    const elsewhere = await browserOf(other)
    const browser = await browserOf(await createUser())
    const page = await start(await firstParty(), browser)
    for (const [name, value] of elsewhere.cookies) browser.cookies.set(name, value)
    const again = await choose(browser, page)
    assert.include(again.html, `Continue as ${other.email}`)
  })
})

test.group('Account selection | another account', () => {
  test('signs out, and the other user goes on', async ({ assert }) => {
    const [one, other] = [await createUser(), await createUser()]
    const browser = await browserOf(one)
    const page = await start(await firstParty(), browser)
    const form = await browser.submit(page, SIGN_OUT)
    assert.equal(form.url.pathname, '/sign-in')
    assert.isEmpty(await listSessions(one.id))
    const answer = await signIn(browser, form, other)
    assert.isNotNull(answer.url.searchParams.get('code'))
    assert.lengthOf(await listSessions(other.id), 2)
  })

  test('says of how many applications it signs out: {count}')
    .with([
      { count: 0, scopes: ['openid offline_access'], says: 'out of this browser.' },
      { count: 1, scopes: ['openid', 'openid offline_access'], says: 'of one application' },
      { count: 2, scopes: ['openid', 'openid'], says: 'of 2 applications' },
    ])
    .run(async ({ assert }, { scopes, says }) => {
      const browser = await browserOf(await createUser())
      for (const scope of scopes) await tokensOf(await firstParty(), browser, { scope })
      const page = await start(await firstParty(), browser)
      assert.include(page.html, says)
    })

  test('keeps the device', async ({ assert }) => {
    const user = await createUser()
    const browser = new Browser()
    await signIn(browser, await browser.open(`${settings.issuer}/sign-in`), user)
    const device = browser.cookies.get(cookieName('device'))
    assert.isString(device)
    const page = await start(await firstParty(), browser)
    await browser.submit(page, SIGN_OUT)
    assert.equal(browser.cookies.get(cookieName('device')), device)
  })
})

test.group('Sign-in page | login_hint', () => {
  const valueOf = ({ html }: Page) => /<input[^>]*name="email"[^>]*>/.exec(html)![0]

  test('fills the field with {hint}: {isFilled}')
    .with([
      { hint: 'ada@example.org', isFilled: true },
      { hint: `${'a'.repeat(242)}@example.org`, isFilled: true },
      { hint: `${'a'.repeat(243)}@example.org`, isFilled: false },
      { hint: 'ada', isFilled: false },
      { hint: 'ada lovelace@example.org', isFilled: false },
    ])
    .run(async ({ assert }, { hint, isFilled }) => {
      const page = await start(await firstParty(), new Browser(), { login_hint: hint })
      assert.equal(valueOf(page).includes(`value="${hint}"`), isFilled)
    })

  test('is escaped', async ({ assert }) => {
    const hint = `"><script>alert(1)</script>@example.org`
    const page = await start(await firstParty(), new Browser(), { login_hint: hint })
    assert.notInclude(page.html, '<script>alert')
  })

  test('tells nothing: a user and an unknown address get one page', async ({ assert }) => {
    const app = await firstParty()
    const { email } = await createUser()
    const pages = []
    for (const hint of [email, `x${email}`]) {
      const { html } = await start(app, new Browser(), { login_hint: hint })
      pages.push(html.replaceAll(hint, '').replaceAll(/(nonce|value|href)=("[^"]*"|'[^']*')/g, ''))
    }
    assert.equal(pages[0], pages[1])
  })

  test('of another user than the one signed in changes nothing', async ({ assert }) => {
    const browser = await browserOf(await createUser())
    const parameters = { login_hint: 'other@example.org', prompt: '' }
    const page = await start(await firstParty(), browser, parameters)
    assert.isNotNull(page.url.searchParams.get('code'))
  })
})
