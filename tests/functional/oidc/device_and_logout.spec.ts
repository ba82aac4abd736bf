import { freezeTime, test, timeTravel } from '@japa/runner'
import * as oidc from 'openid-client'
import settings from '#config/oidc'
import store from '#auth/store/service'
import { endAllSessionsAs } from '#auth/sessions/end_session'
import { SYSTEM } from '#audit/actor'
import { createUser, decodeClaims, PASSWORD } from '#tests/support/fixtures'
import { logoutListener, sendLogoutTokens } from '#tests/support/logouts'
import {
  application,
  authorizationRequest,
  Browser,
  browserOf,
  tokensOf,
} from '#tests/support/oidc'
import { DEVICE_GRANT } from '#oidc/clients/client'

const DEVICE = /^\/oauth\/device$/
const ANSWER = /^\/oauth\/device\/answer$/

async function device() {
  const grantTypes = [DEVICE_GRANT, 'refresh_token'] as const
  const app = await application({ redirectUris: [], grantTypes: [...grantTypes] })
  const scope = 'openid offline_access'
  const started = await oidc.initiateDeviceAuthorization(app.config, { scope })
  const poll = () =>
    oidc.genericGrantRequest(app.config, DEVICE_GRANT, { device_code: started.device_code })
  return { app, started, poll }
}

test.group('Device flow | a code on another device', () => {
  test('signs the device in, in a session of its own', async ({ assert }) => {
    const user = await createUser()
    const { started, poll } = await device()
    await assert.rejects(poll)
    const browser = new Browser()
    const signIn = await browser.open(started.verification_uri_complete!)
    assert.equal(signIn.url.pathname, '/sign-in')
    const form = await browser.submit(signIn, /^\/sign-in$/, {
      email: user.email,
      password: PASSWORD,
    })
    const consent = await browser.submit(form, DEVICE, { user_code: started.user_code })
    assert.include(consent.html, started.user_code)
    assert.include(consent.html, 'Grafana')
    await browser.submit(consent, ANSWER, { decision: 'allow' })
    const tokens = await poll()
    assert.equal(tokens.claims()!.sub, user.id)
    const sessions = await store.listSessions(user.id, Date.now())
    assert.isTrue(sessions.some(({ id }) => id === tokens.claims()!.sid))
    await assert.rejects(poll)
  })

  test('a code typed as {$self} is shown as on the device')
    .with(['lower', 'plain', 'spaced'])
    .run(async ({ assert }, form) => {
      const browser = await browserOf(await createUser())
      const { started } = await device()
      const code = started.user_code
      const typed = { lower: code.toLowerCase(), plain: code.replace('-', ''), spaced: ` ${code}` }
      const page = await browser.open(started.verification_uri)
      const fields = { user_code: typed[form as keyof typeof typed] }
      const consent = await browser.submit(page, DEVICE, fields)
      assert.match(code, /^\w{4}-\w{4}$/)
      assert.include(consent.html, `>${code}</strong>`)
    })

  test('a refusal keeps it out', async ({ assert }) => {
    const browser = await browserOf(await createUser())
    const { started, poll } = await device()
    const form = await browser.open(started.verification_uri)
    const consent = await browser.submit(form, DEVICE, {
      user_code: started.user_code.toLowerCase(),
    })
    await browser.submit(consent, ANSWER, { decision: 'refuse' })
    await assert.rejects(poll)
    const late = await browser.submit(consent, ANSWER, { decision: 'allow' })
    assert.equal(late.response.status, 422)
    await assert.rejects(poll)
  })

  test('another account in the meantime is asked itself', async ({ assert }) => {
    const [one, other] = [await createUser(), await createUser()]
    const [browser, elsewhere] = [await browserOf(one), await browserOf(other)]
    const { started, poll } = await device()
    const form = await browser.open(started.verification_uri)
    const consent = await browser.submit(form, DEVICE, { user_code: started.user_code })
    for (const [name, value] of elsewhere.cookies) browser.cookies.set(name, value)
    const again = await browser.submit(consent, ANSWER, { decision: 'allow' })
    assert.include(again.html, other.email)
    await assert.rejects(poll)
    await browser.submit(again, ANSWER, { decision: 'allow' })
    const tokens = await poll()
    assert.equal(tokens.claims()!.sub, other.id)
  })

  test('of two answers at once one counts', async ({ assert }) => {
    const [one, other] = await Promise.all([1, 2].map(async () => browserOf(await createUser())))
    const { started, poll } = await device()
    const pages = await Promise.all(
      [one, other].map(async (browser) => {
        const form = await browser.open(started.verification_uri)
        return browser.submit(form, DEVICE, { user_code: started.user_code })
      })
    )
    const answers = await Promise.all([
      one.submit(pages[0], ANSWER, { decision: 'allow' }),
      other.submit(pages[1], ANSWER, { decision: 'allow' }),
    ])
    assert.sameMembers(
      answers.map(({ response }) => response.status),
      [200, 422]
    )
    await assert.doesNotReject(poll)
  })

  test('the page refuses an unknown code and asks again', async ({ assert }) => {
    const browser = await browserOf(await createUser())
    const form = await browser.open(`${settings.issuer}/oauth/device`)
    const again = await browser.submit(form, DEVICE, { user_code: 'BBBB-BBBB' })
    assert.equal(again.response.status, 422)
  })

  test('a code is good for ten minutes', async ({ assert }) => {
    freezeTime()
    const browser = await browserOf(await createUser())
    const { started } = await device()
    const form = await browser.open(started.verification_uri)
    timeTravel(600_000)
    const again = await browser.submit(form, DEVICE, { user_code: started.user_code })
    assert.equal(again.response.status, 422)
  })
})

const AFTER = 'https://app.example.org/goodbye'
const LOGOUT = /^\/oauth\/logout\/confirm$/

test.group('Logout | by the application', () => {
  async function signedInto(backchannelLogoutUri: string | null = null) {
    const user = await createUser()
    const settingsOf = { kind: 'first_party', postLogoutRedirectUris: [AFTER] } as const
    const app = await application({
      ...settingsOf,
      postLogoutRedirectUris: [AFTER],
      backchannelLogoutUri,
    })
    const browser = await browserOf(user)
    return { user, app, browser, tokens: await tokensOf(app, browser) }
  }

  type Scene = Awaited<ReturnType<typeof signedInto>>

  const logoutUrl = ({ app, tokens }: Scene, change: Record<string, string> = {}) =>
    oidc.buildEndSessionUrl(app.config, {
      id_token_hint: tokens.id_token!,
      post_logout_redirect_uri: AFTER,
      state: 'abc',
      ...change,
    })

  test('ends both sessions and leads back with the state', async ({ assert }) => {
    const scene = await signedInto()
    const answer = await scene.browser.open(logoutUrl(scene))
    assert.equal(answer.url.href, `${AFTER}?state=abc`)
    assert.lengthOf(await store.listSessions(scene.user.id, Date.now()), 0)
    const info = oidc.fetchUserInfo(scene.app.config, scene.tokens.access_token, scene.user.id)
    await assert.rejects(() => info)
  })

  test('the question alone ends nothing', async ({ assert }) => {
    const scene = await signedInto()
    const { client } = scene.app
    const page = await scene.browser.open(
      `${settings.issuer}/oauth/logout?client_id=${client.clientId}`
    )
    assert.include(page.html, 'Grafana')
    assert.lengthOf(await store.listSessions(scene.user.id, Date.now()), 2)
    await scene.browser.submit(page, LOGOUT)
    assert.lengthOf(await store.listSessions(scene.user.id, Date.now()), 0)
  })

  test('the application is told of its session', async ({ assert, cleanup }) => {
    const { told, close, uri } = await logoutListener()
    cleanup(close)
    const scene = await signedInto(uri)
    await scene.browser.open(logoutUrl(scene))
    await sendLogoutTokens()
    const claims = decodeClaims(told[0])
    assert.containsSubset(claims, { sub: scene.user.id, sid: scene.tokens.claims()!.sid })
    const [event] = Object.keys(claims.events)
    assert.equal(event, 'http://schemas.openid.net/event/backchannel-logout')
    assert.notProperty(claims, 'nonce')
  })

  const REFUSED: { what: string; change: Record<string, string> }[] = [
    {
      what: 'an address that is not registered',
      change: { post_logout_redirect_uri: 'https://evil.example/' },
    },
    { what: 'a hint for another client', change: { client_id: 'unknown' } },
  ]

  test('{what} leads nowhere')
    .with(REFUSED)
    .run(async ({ assert }, { change }) => {
      const scene = await signedInto()
      const page = await scene.browser.open(logoutUrl(scene, change))
      assert.equal(page.response.status, 400)
      assert.notMatch(page.html, /(?:href|action|url)=[^>]*evil\.example/)
      assert.lengthOf(await store.listSessions(scene.user.id, Date.now()), 2)
    })

  test('who is signed out already is led back', async ({ assert }) => {
    const scene = await signedInto()
    await endAllSessionsAs(scene.user.id, SYSTEM)
    const answer = await scene.browser.open(logoutUrl(scene))
    assert.equal(answer.url.href, `${AFTER}?state=abc`)
  })

  test('a hint names who is expected to sign in', async ({ assert }) => {
    const scene = await signedInto()
    const other = await browserOf(await createUser())
    const hint = { id_token_hint: scene.tokens.id_token!, prompt: 'none' }
    const { url } = await authorizationRequest(scene.app, hint)
    const answer = await other.open(url)
    assert.equal(answer.url.searchParams.get('error'), 'login_required')
  })
})
