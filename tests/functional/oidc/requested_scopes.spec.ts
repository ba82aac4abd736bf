import { test } from '@japa/runner'
import * as oidc from 'openid-client'
import { SYSTEM } from '#audit/actor'
import { listRefusals } from '#oidc/refusals/list_refusals'
import { giveConsent } from '#oidc/consents/consents'
import { createUser } from '#tests/support/fixtures'
import {
  application,
  authorizationRequest,
  browserOf,
  REDIRECT,
  tokensOf,
  Browser,
  type Application,
} from '#tests/support/oidc'
import type { ClientScope } from '#oidc/clients/client'
import type User from '#models/user'

const INTERACTION = /^\/oauth\/interaction\//
const AT_APP = new URL(REDIRECT).origin
const STAY = 'stay signed in while you are away'

async function allowed(user: User, app: Application, scope: string) {
  const consent = { userId: user.id, clientId: app.client.clientId }
  await giveConsent(consent, { scopes: scope.split(' '), resources: [] }, SYSTEM)
}

async function ask(app: Application, browser: Browser, parameters: Record<string, string>) {
  const { url, checks } = await authorizationRequest(app, parameters)
  const page = await browser.open(url)
  return { page, redeem: (at = page) => oidc.authorizationCodeGrant(app.config, at.url, checks) }
}

test.group('Requested scopes | a scope that the client lacks', () => {
  const firstParty = (scopes: ClientScope[]) => application({ kind: 'first_party', scopes })

  test('{asked} of {has} gives {given}')
    .with([
      { has: 'openid', asked: 'openid profile email', given: 'openid' },
      { has: 'openid profile', asked: 'openid email profile', given: 'openid profile' },
      { has: 'openid email', asked: 'openid email address', given: 'openid email' },
      { has: 'openid profile', asked: 'openid offline_access', given: 'openid' },
      { has: 'openid users:read', asked: 'openid users:read', given: 'openid' },
    ])
    .run(async ({ assert }, { has, asked, given }) => {
      const app = await firstParty(has.split(' ') as ClientScope[])
      const tokens = await tokensOf(app, await browserOf(await createUser()), { scope: asked })
      assert.equal(tokens.scope, given)
      assert.notProperty(tokens, 'refresh_token')
    })

  test('{what} leaves none, and is refused before anybody signs in')
    .with([
      { what: 'an unknown one', scope: 'nope' },
      { what: 'one that the client lacks', scope: 'users:read' },
      { what: 'an empty parameter', scope: '' },
      { what: 'a missing parameter', scope: undefined },
    ])
    .run(async ({ assert }, { scope }) => {
      const app = await firstParty(['openid', 'profile'])
      const { url } = await authorizationRequest(app, { scope: 'openid' })
      for (const name of ['scope', 'nonce']) url.searchParams.delete(name)
      if (scope !== undefined) url.searchParams.set('scope', scope)
      const { url: answer } = await new Browser().open(url)
      const { error, error_description: reason } = Object.fromEntries(answer.searchParams)
      assert.equal(answer.origin, AT_APP)
      assert.equal(error, 'invalid_scope', reason)
      assert.equal(reason, 'the client may have none of the requested scopes')
      const listed = await listRefusals(app.client)
      assert.equal(listed[0].reason, 'scope')
    })

  test('a pushed request with one is accepted', async ({ assert }) => {
    const app = await firstParty(['openid'])
    const verifier = oidc.randomPKCECodeVerifier()
    const url = await oidc.buildAuthorizationUrlWithPAR(app.config, {
      redirect_uri: REDIRECT,
      scope: 'openid email',
      code_challenge: await oidc.calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
    })
    const browser = await browserOf(await createUser())
    const { url: answer } = await browser.open(url)
    const checks = { pkceCodeVerifier: verifier }
    const tokens = await oidc.authorizationCodeGrant(app.config, answer, checks)
    assert.equal(tokens.scope, 'openid')
    assert.notProperty(tokens.claims()!, 'email')
  })

  test('the consent does not name it', async ({ assert }) => {
    const app = await application({ scopes: ['openid', 'profile'] })
    const browser = await browserOf(await createUser())
    const { page, redeem } = await ask(app, browser, { scope: 'openid profile email' })
    assert.include(page.html, 'see your name and picture')
    assert.notInclude(page.html, 'see your e-mail address')
    const answer = await browser.submit(page, INTERACTION, { decision: 'allow' })
    const tokens = await redeem(answer)
    assert.equal(tokens.scope, 'openid profile')
  })
})

test.group('Requested scopes | offline_access of a third party', () => {
  const SCOPE = 'openid offline_access'

  test('the first request asks for it, without prompt=consent', async ({ assert }) => {
    const [app, browser] = [await application(), await browserOf(await createUser())]
    const { page, redeem } = await ask(app, browser, { scope: SCOPE })
    assert.include(page.html, STAY)
    const answer = await browser.submit(page, INTERACTION, { decision: 'allow' })
    const { refresh_token: token } = await redeem(answer)
    await assert.doesNotReject(() => oidc.refreshTokenGrant(app.config, token!))
  })

  test('{prompt} after a consent to {consent} ends {end}')
    .with([
      { prompt: '', consent: SCOPE, end: 'with a refresh token' },
      { prompt: 'none', consent: SCOPE, end: 'with a refresh token' },
      { prompt: 'none', consent: 'openid', end: 'without one' },
      { prompt: '', consent: 'openid', end: 'at the question' },
      { prompt: 'consent', consent: SCOPE, end: 'at the question' },
    ])
    .run(async ({ assert }, { prompt, consent, end }) => {
      const [app, user] = [await application(), await createUser()]
      await allowed(user, app, consent)
      const parameters = { scope: SCOPE, ...(prompt && { prompt }) }
      const { page, redeem } = await ask(app, await browserOf(user), parameters)
      if (page.url.origin !== AT_APP) return assert.equal(end, 'at the question')
      const tokens = await redeem()
      assert.equal('refresh_token' in tokens ? 'with a refresh token' : 'without one', end)
    })

  test('max_age=0 asks for the password alone', async ({ assert }) => {
    const [app, user] = [await application(), await createUser()]
    await allowed(user, app, SCOPE)
    const { page } = await ask(app, await browserOf(user), { scope: SCOPE, max_age: '0' })
    assert.equal(page.url.pathname, '/confirm')
  })

  test('prompt=none gives it to a first party', async ({ assert }) => {
    const app = await application({ kind: 'first_party' })
    const parameters = { scope: SCOPE, prompt: 'none' }
    const tokens = await tokensOf(app, await browserOf(await createUser()), parameters)
    assert.property(tokens, 'refresh_token')
  })
})
