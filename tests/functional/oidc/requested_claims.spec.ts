import { test } from '@japa/runner'
import * as oidc from 'openid-client'
import { SYSTEM } from '#audit/actor'
import { BY_PASSWORD, BY_PASSWORD_AND_CODE } from '#auth/sessions/authentication'
import { listSessions } from '#auth/sessions/sessions'
import store from '#auth/store/service'
import { updateClient } from '#oidc/clients/clients'
import { DEVICE_GRANT } from '#oidc/clients/client'
import { giveSecondFactor } from '#tests/functional/matrix/sign_in_methods'
import { createUser, PASSWORD } from '#tests/support/fixtures'
import {
  application,
  authorizationRequest,
  Browser,
  browserOf,
  pushedRequest,
  REDIRECT,
  tokensOf,
  type Application,
} from '#tests/support/oidc'

/* OpenID Connect Core, section 5.5. */

const AT_APP = new URL(REDIRECT).origin
const INTERACTION = /^\/oauth\/interaction\//
const firstParty = () => application({ kind: 'first_party' })

function request(claims: object) {
  return { scope: 'openid', claims: JSON.stringify(claims) }
}

async function ask(app: Application, browser: Browser, claims: object, more = {}) {
  const { url, checks } = await authorizationRequest(app, { ...request(claims), ...more })
  const page = await browser.open(url)
  return { page, redeem: (at = page) => oidc.authorizationCodeGrant(app.config, at.url, checks) }
}

test.group('Requested claims | what a client may have', () => {
  test('a first party gets a claim without its scope, unasked', async ({ assert }) => {
    const [app, user] = [await firstParty(), await createUser()]
    const claims = { userinfo: { name: { essential: true } }, id_token: { email: null } }
    const tokens = await tokensOf(app, await browserOf(user), request(claims))
    const info = await oidc.fetchUserInfo(app.config, tokens.access_token, user.id)
    assert.equal(tokens.scope, 'openid')
    assert.equal(tokens.claims()!.email, user.email)
    assert.notProperty(tokens.claims()!, 'name')
    assert.equal(info.name, user.username)
    assert.notProperty(info, 'email')
  })

  test('{what} is left out')
    .with([
      { what: 'a claim of a scope that the client lacks', claims: { email: null } },
      { what: 'an unknown claim', claims: { birthdate: { essential: true } } },
      { what: 'a claim that is no request', claims: { name: 'Ada' } },
      { what: 'a list in place of a request', claims: { name: [] } },
      { what: 'a name of the prototype', claims: JSON.parse('{"__proto__":null,"toString":null}') },
    ])
    .run(async ({ assert }, { claims }) => {
      const [user, scopes] = [await createUser(), ['openid', 'profile'] as const]
      const app = await application({ kind: 'first_party', scopes: [...scopes] })
      const asked = request({ userinfo: claims, id_token: claims })
      const tokens = await tokensOf(app, await browserOf(user), asked)
      const info = await oidc.fetchUserInfo(app.config, tokens.access_token, user.id)
      assert.deepEqual(info, { sub: user.id })
      assert.notProperty(tokens.claims()!, 'email')
    })

  test('{what} is invalid_request')
    .with([
      { what: 'no JSON', claims: 'name' },
      { what: 'a list', claims: '[]' },
      { what: 'null', claims: 'null' },
      { what: 'no target', claims: '{}' },
      { what: 'a text as target', claims: '{"userinfo":"name"}' },
      {
        what: 'a class that is no text',
        claims: '{"id_token":{"acr":{"values":{}}}}',
        isFine: true,
      },
    ])
    .run(async ({ assert }, { claims, isFine = false }) => {
      const { url } = await authorizationRequest(await firstParty(), { scope: 'openid', claims })
      const browser = await browserOf(await createUser())
      const { url: answer } = await browser.open(url)
      assert.equal(answer.searchParams.get('error'), isFine ? null : 'invalid_request')
    })

  test('a pushed request asks for one too', async ({ assert }) => {
    const [app, user] = [await firstParty(), await createUser()]
    const { url, verifier } = await pushedRequest(app, request({ userinfo: { email: null } }))
    const browser = await browserOf(user)
    const answer = await browser.open(url)
    const checks = { pkceCodeVerifier: verifier }
    const tokens = await oidc.authorizationCodeGrant(app.config, answer.url, checks)
    const info = await oidc.fetchUserInfo(app.config, tokens.access_token, user.id)
    assert.deepEqual(info, { sub: user.id, email: user.email })
  })

  test('a pushed request for an unknown class is refused at once', async ({ assert }) => {
    const claims = { id_token: { acr: { essential: true, value: 'gold' } } }
    const app = await firstParty()
    const error = await pushedRequest(app, request(claims)).catch((thrown) => thrown.error)
    assert.equal(error, 'unmet_authentication_requirements')
  })

  test('a claim leaves live tokens with its scope', async ({ assert }) => {
    const [app, user] = [await firstParty(), await createUser()]
    const claims = { userinfo: { email: null }, id_token: { email: null } }
    const asked = { ...request(claims), scope: 'openid offline_access' }
    const tokens = await tokensOf(app, await browserOf(user), asked)
    await updateClient(app.client.id, { scopes: ['openid', 'offline_access'] }, SYSTEM)
    const refreshed = await oidc.refreshTokenGrant(app.config, tokens.refresh_token!)
    const info = await oidc.fetchUserInfo(app.config, refreshed.access_token, user.id)
    assert.deepEqual(info, { sub: user.id })
    assert.notProperty(refreshed.claims()!, 'email')
  })
})

test.group('Requested claims | consent of a third party', () => {
  const EMAIL = { userinfo: { email: null } }
  const SEES_EMAIL = 'see your e-mail address'

  test('is asked for like the scope, once', async ({ assert }) => {
    const [app, user] = [await application(), await createUser()]
    const browser = await browserOf(user)
    const { page, redeem } = await ask(app, browser, EMAIL)
    assert.include(page.html, SEES_EMAIL)
    const tokens = await redeem(await browser.submit(page, INTERACTION, { decision: 'allow' }))
    const info = await oidc.fetchUserInfo(app.config, tokens.access_token, user.id)
    assert.equal(info.email, user.email)
    const again = await ask(app, browser, EMAIL)
    assert.equal(again.page.url.origin, AT_APP)
  })

  test('of the scope alone is not enough', async ({ assert }) => {
    const [app, browser] = [await application(), await browserOf(await createUser())]
    const first = await ask(app, browser, { userinfo: {} })
    await browser.submit(first.page, INTERACTION, { decision: 'allow' })
    const { page } = await ask(app, browser, EMAIL)
    assert.include(page.html, SEES_EMAIL)
    const silent = await ask(app, browser, EMAIL, { prompt: 'none' })
    assert.equal(silent.page.url.searchParams.get('error'), 'consent_required')
  })

  test('is asked for by a device too', async ({ assert }) => {
    const grantTypes = [DEVICE_GRANT, 'refresh_token'] as const
    const app = await application({ redirectUris: [], grantTypes: [...grantTypes] })
    const user = await createUser()
    const browser = await browserOf(user)
    const started = await oidc.initiateDeviceAuthorization(app.config, request(EMAIL))
    const form = await browser.open(started.verification_uri)
    const code = { user_code: started.user_code }
    const page = await browser.submit(form, /^\/oauth\/device$/, code)
    assert.include(page.html, SEES_EMAIL)
    await browser.submit(page, /^\/oauth\/device\/answer$/, { decision: 'allow' })
    const body = { device_code: started.device_code }
    const tokens = await oidc.genericGrantRequest(app.config, DEVICE_GRANT, body)
    const info = await oidc.fetchUserInfo(app.config, tokens.access_token, user.id)
    assert.equal(info.email, user.email)
  })
})

test.group('Requested claims | acr', () => {
  const PWD = 'urn:gatehouse:acr:pwd'
  const MFA = 'urn:gatehouse:acr:mfa'
  const UNMET = 'unmet_authentication_requirements'

  const acr = (values: string[], essential = true) => ({ id_token: { acr: { essential, values } } })

  test('{what} ends with {end}')
    .with([
      { what: 'an unknown class', claims: acr(['urn:example:gold']), end: UNMET },
      {
        what: 'an unknown single class',
        claims: { id_token: { acr: { essential: true, value: 'gold' } } },
        end: UNMET,
      },
      { what: 'an unknown wish', claims: acr(['urn:example:gold'], false), end: PWD },
      { what: 'a known class among others', claims: acr(['urn:example:gold', PWD]), end: PWD },
      { what: 'any class', claims: { id_token: { acr: { essential: true } } }, end: PWD },
    ])
    .run(async ({ assert }, { claims, end }) => {
      const browser = await browserOf(await createUser())
      const { page, redeem } = await ask(await firstParty(), browser, claims)
      const error = page.url.searchParams.get('error')
      const tokens = error ? null : await redeem()
      assert.equal(error ?? tokens!.claims()!.acr, end)
    })

  test('an unknown class needs no sign-in to be refused', async ({ assert }) => {
    const { page } = await ask(await firstParty(), new Browser(), acr(['urn:example:gold']))
    assert.equal(page.url.searchParams.get('error'), UNMET)
  })

  test('{accepted} by two factors is reported as {reported}')
    .with([
      { accepted: [PWD], reported: PWD },
      { accepted: [PWD, MFA], reported: MFA },
      { accepted: [MFA], reported: MFA },
    ])
    .run(async ({ assert }, { accepted, reported }) => {
      const browser = await browserOf(await createUser(), BY_PASSWORD_AND_CODE)
      const { redeem } = await ask(await firstParty(), browser, acr(accepted))
      const tokens = await redeem()
      assert.equal(tokens.claims()!.acr, reported)
    })

  test('a second factor that the user lacks leads to enrolment', async ({ assert }) => {
    const browser = await browserOf(await createUser(), BY_PASSWORD)
    const { page } = await ask(await firstParty(), browser, acr([MFA]))
    assert.equal(page.response.status, 403)
    assert.include(page.html, 'href="/account/security')
    const answer = await browser.submit(page, INTERACTION, { decision: 'refuse' })
    assert.equal(answer.url.searchParams.get('error'), UNMET)
  })

  test('a user who has set it up goes on from the same page', async ({ assert }) => {
    const user = await createUser()
    const browser = await browserOf(user, BY_PASSWORD)
    const { page, redeem } = await ask(await firstParty(), browser, acr([MFA]))
    await giveSecondFactor(user)
    const [{ id: sessionId }] = await listSessions(user.id)
    const proof = { ...BY_PASSWORD_AND_CODE, at: Date.now() }
    await store.reauthenticateSession({ userId: user.id, sessionId }, proof)
    const [, link] = /href="(\/oauth\/interaction[^"]*)"/.exec(page.html)!
    const answer = await browser.open(new URL(link, page.url))
    const tokens = await redeem(answer)
    assert.equal(tokens.claims()!.acr, MFA)
  })
})

test.group('Requested claims | sub', () => {
  const subject = (value: unknown) => ({ id_token: { sub: { value } } })

  test('of who is signed in goes on', async ({ assert }) => {
    const user = await createUser()
    const { page } = await ask(await firstParty(), await browserOf(user), subject(user.id))
    assert.isNotNull(page.url.searchParams.get('code'))
  })

  test('of another user is login_required with prompt={prompt}')
    .with([{ prompt: '' }, { prompt: 'none' }, { prompt: 'login' }])
    .run(async ({ assert }, { prompt }) => {
      const browser = await browserOf(await createUser())
      const { id } = await createUser()
      const more = prompt ? { prompt } : {}
      const { page } = await ask(await firstParty(), browser, subject(id), more)
      assert.equal(page.url.searchParams.get('error'), 'login_required')
    })

  test('of another user is login_required after the sign-in', async ({ assert }) => {
    const [user, other] = [await createUser(), await createUser()]
    const browser = new Browser()
    const { page } = await ask(await firstParty(), browser, subject(other.id))
    const credentials = { email: user.email, password: PASSWORD }
    const answer = await browser.submit(page, /^\/sign-in$/, credentials)
    assert.equal(answer.url.searchParams.get('error'), 'login_required')
  })

  test('of another user may be chosen with prompt=select_account', async ({ assert }) => {
    const [user, other] = [await createUser(), await createUser()]
    const browser = await browserOf(user)
    const more = { prompt: 'select_account' }
    const { page } = await ask(await firstParty(), browser, subject(other.id), more)
    const form = await browser.submit(page, /^\/sign-out$/)
    const credentials = { email: other.email, password: PASSWORD }
    const answer = await browser.submit(form, /^\/sign-in$/, credentials)
    assert.isNotNull(answer.url.searchParams.get('code'))
  })
})
