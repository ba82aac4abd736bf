import { freezeTime, test, timeTravel } from '@japa/runner'
import * as oidc from 'openid-client'
import settings from '#config/oidc'
import tokens from '#config/tokens'
import { SYSTEM } from '#audit/actor'
import { updateClient } from '#oidc/clients/clients'
import type { NewClient } from '#oidc/clients/client_fields'
import { createUser } from '#tests/support/fixtures'
import { application, authorizationRequest, browserOf, tokensOf } from '#tests/support/oidc'

const DAY_MS = 86_400_000
const INTERACTION = /^\/oauth\/interaction\//
const STAY = 'stay signed in while you are away'

const firstParty = (given: Partial<NewClient> = {}) =>
  application({ kind: 'first_party', ...given })

test.group('Tokens of a client | claims of the ID token', () => {
  const NAMES = ['email', 'email_verified', 'name', 'preferred_username', 'updated_at']

  test('userinfo and ID token have the same ones by default', async ({ assert }) => {
    const [app, user] = [await firstParty(), await createUser()]
    await user.merge({ locale: 'de' }).save()
    const issued = await tokensOf(app, await browserOf(user))
    const info = await oidc.fetchUserInfo(app.config, issued.access_token, user.id)
    const claims = issued.claims()!
    for (const name of [...NAMES, 'locale']) assert.equal(claims[name], info[name], name)
    assert.equal(info.locale, 'de')
  })

  test('{resource} with idTokenClaims off leaves them in the ID token: {isThere}')
    .with([
      { resource: null, isThere: false },
      { resource: 'https://mcp.example.org', isThere: true },
      { resource: settings.issuer, isThere: true },
    ])
    .run(async ({ assert }, { resource, isThere }) => {
      const app = await firstParty({ idTokenClaims: false })
      const user = await createUser()
      const scope = 'openid profile email offline_access'
      const parameters = { scope, ...(resource && { resource }) }
      const issued = await tokensOf(app, await browserOf(user), parameters)
      const refreshed = await oidc.refreshTokenGrant(app.config, issued.refresh_token!)
      for (const each of [issued, refreshed]) {
        assert.equal('email' in each.claims()!, isThere)
        assert.containsSubset(each.claims(), { sub: user.id, acr: 'urn:gatehouse:acr:pwd' })
      }
    })

  test('userinfo has them though idTokenClaims is off', async ({ assert }) => {
    const [app, user] = [await firstParty({ idTokenClaims: false }), await createUser()]
    const issued = await tokensOf(app, await browserOf(user))
    const info = await oidc.fetchUserInfo(app.config, issued.access_token, user.id)
    assert.equal(info.email, user.email)
  })

  test('one that was asked for by name is in the ID token', async ({ assert }) => {
    const app = await firstParty({ idTokenClaims: false })
    const claims = JSON.stringify({ id_token: { email: { essential: true } } })
    const issued = await tokensOf(app, await browserOf(await createUser()), { claims })
    assert.property(issued.claims()!, 'email')
    assert.notProperty(issued.claims()!, 'name')
  })
})

test.group('Tokens of a client | refresh tokens', () => {
  test('{refreshTokens} gives one without the scope: {isGiven}')
    .with([
      { refreshTokens: 'scope', isGiven: false },
      { refreshTokens: 'always', isGiven: true },
    ] as const)
    .run(async ({ assert }, { refreshTokens, isGiven }) => {
      const app = await firstParty({ refreshTokens })
      const issued = await tokensOf(app, await browserOf(await createUser()), { scope: 'openid' })
      assert.equal('refresh_token' in issued, isGiven)
      assert.equal(issued.scope, 'openid')
    })

  test('a consent to always says that the client stays signed in', async ({ assert }) => {
    const app = await application({ refreshTokens: 'always' })
    const browser = await browserOf(await createUser())
    const { url, checks } = await authorizationRequest(app, { scope: 'openid' })
    const page = await browser.open(url)
    assert.include(page.html, STAY)
    const answer = await browser.submit(page, INTERACTION, { decision: 'allow' })
    const issued = await oidc.authorizationCodeGrant(app.config, answer.url, checks)
    await assert.doesNotReject(() => oidc.refreshTokenGrant(app.config, issued.refresh_token!))
    assert.equal(issued.scope, 'openid')
  })

  test('a client that changes to always asks again', async ({ assert }) => {
    const [app, browser] = [await application(), await browserOf(await createUser())]
    const ask = async () => {
      const { url } = await authorizationRequest(app, { scope: 'openid' })
      return browser.open(url)
    }
    await browser.submit(await ask(), INTERACTION, { decision: 'allow' })
    await updateClient(app.client.id, { refreshTokens: 'always' }, SYSTEM)
    const again = await ask()
    assert.include(again.html, STAY)
  })

  test('a sign-out of the browser ends one without the scope', async ({ assert }) => {
    const [app, user] = [await firstParty({ refreshTokens: 'always' }), await createUser()]
    const browser = await browserOf(user)
    const issued = await tokensOf(app, browser, { scope: 'openid' })
    const page = await browser.open(`${settings.issuer}/sign-out`)
    await browser.submit(page, /^\/sign-out$/)
    await assert.rejects(() => oidc.refreshTokenGrant(app.config, issued.refresh_token!))
  })
})

test.group('Tokens of a client | life of refresh tokens', () => {
  const SCOPE = { scope: 'openid offline_access' }

  test('of {ttl} is good for {ms} ms')
    .with([
      { ttl: '1h', ms: 3_600_000 },
      { ttl: '366d', ms: 366 * DAY_MS },
      { ttl: null, ms: tokens.refreshTtlMs },
    ])
    .run(async ({ assert }, { ttl, ms }) => {
      freezeTime()
      const [app, user] = [await firstParty({ refreshTokenTtl: ttl }), await createUser()]
      const issued = await tokensOf(app, await browserOf(user), SCOPE)
      timeTravel(ms - 2_000)
      const refreshed = await oidc.refreshTokenGrant(app.config, issued.refresh_token!)
      timeTravel(3_000)
      const token = refreshed.refresh_token ?? issued.refresh_token!
      await assert.rejects(() => oidc.refreshTokenGrant(app.config, token))
    })

  test('a sign-in in the second half gets a session of full length', async ({ assert }) => {
    freezeTime()
    const app = await firstParty({ refreshTokenTtl: '1h' })
    const browser = await browserOf(await createUser())
    const first = await tokensOf(app, browser, SCOPE)
    timeTravel(31 * 60_000)
    const second = await tokensOf(app, browser, SCOPE)
    assert.notEqual(first.claims()!.sid, second.claims()!.sid)
    timeTravel(40 * 60_000)
    await assert.doesNotReject(() => oidc.refreshTokenGrant(app.config, second.refresh_token!))
  })
})
