import { test } from '@japa/runner'
import * as oidc from 'openid-client'
import { listSessions } from '#auth/sessions/sessions'
import { DEVICE_GRANT, type ClientScope } from '#oidc/clients/client'
import { updateClient } from '#oidc/clients/clients'
import { giveConsent, isConsented } from '#oidc/consents/consents'
import { revokeConsent } from '#oidc/grants/end_grants'
import { SYSTEM } from '#audit/actor'
import settings from '#config/oidc'
import { createUser, decodeClaims } from '#tests/support/fixtures'
import { holdTransaction } from '#tests/support/held_transaction'
import { application, authorizationRequest, browserOf, REDIRECT } from '#tests/support/oidc'

const INTERACTION = /^\/oauth\/interaction\//
const ANSWER = /^\/oauth\/device\/answer$/
const [WIKI, CHAT] = ['https://wiki.example.org', 'https://chat.example.org']

test.group('Consent | scopes at resources', () => {
  async function after(given: { scopes: string[]; resources: string[] }[]) {
    const [{ id: userId }, { client }] = [await createUser(), await application()]
    const consent = { userId, clientId: client.clientId }
    for (const access of given) await giveConsent(consent, access, SYSTEM)
    return (scopes: string[], resources: string[]) => isConsented(consent, { scopes, resources })
  }

  test('a scope at one service is none at another', async ({ assert }) => {
    const allows = await after([
      { scopes: ['openid', 'profile'], resources: [WIKI] },
      { scopes: ['openid'], resources: [CHAT] },
    ])
    assert.isTrue(await allows(['openid', 'profile'], [WIKI]))
    assert.isTrue(await allows(['openid'], [CHAT]))
    assert.isFalse(await allows(['openid', 'profile'], [CHAT]))
    assert.isFalse(await allows(['openid', 'profile'], [WIKI, CHAT]))
  })

  test('a scope without a service is none at one', async ({ assert }) => {
    const allows = await after([{ scopes: ['openid', 'email'], resources: [] }])
    assert.isTrue(await allows(['email'], []))
    assert.isFalse(await allows(['email'], [WIKI]))
  })

  test('a scope of the API needs the API', async ({ assert }) => {
    const allows = await after([
      { scopes: ['openid', 'users:read'], resources: [settings.issuer, WIKI] },
    ])
    assert.isTrue(await allows(['openid', 'users:read'], [settings.issuer]))
    assert.isTrue(await allows(['openid'], [WIKI]))
  })

  test('a service that gets no scope needs a consent', async ({ assert }) => {
    const api = { scopes: ['openid', 'users:read'], resources: [settings.issuer] }
    const before = await after([api])
    assert.isFalse(await before(['users:read'], [settings.issuer, WIKI]))
    assert.isFalse(await before([], [WIKI]))
    const allows = await after([api, { scopes: [], resources: [WIKI] }])
    assert.isTrue(await allows(['users:read'], [settings.issuer, WIKI]))
    assert.isFalse(await allows(['openid'], [WIKI]))
    assert.isFalse(await allows([], [WIKI, CHAT]))
  })

  test('the page asks once for a service that gets no scope', async ({ assert }) => {
    const [app, user] = [
      await application({ scopes: ['openid', 'users:read'] }),
      await createUser(),
    ]
    const consent = { userId: user.id, clientId: app.client.clientId }
    const given = { scopes: ['openid', 'users:read'], resources: [settings.issuer] }
    await giveConsent(consent, given, SYSTEM)
    const browser = await browserOf(user)
    const ask = async (change = {}) => {
      const asked = { scope: 'users:read', resource: settings.issuer, ...change }
      const { url, checks } = await authorizationRequest(app, asked)
      url.searchParams.append('resource', WIKI)
      url.searchParams.delete('nonce')
      return { page: await browser.open(url), checks: { ...checks, expectedNonce: undefined } }
    }
    const unasked = await ask({ prompt: 'none' })
    assert.equal(unasked.page.url.searchParams.get('error'), 'consent_required')
    const { page } = await ask()
    assert.include(page.html, new URL(WIKI).host)
    await browser.submit(page, INTERACTION, { decision: 'allow' })
    const { page: again, checks } = await ask()
    const exchange = { resource: WIKI }
    const tokens = await oidc.authorizationCodeGrant(app.config, again.url, checks, exchange)
    assert.equal(decodeClaims(tokens.access_token).aud, WIKI)
  })

  test('the page asks for a scope at another service', async ({ assert }) => {
    const [app, browser] = [await application(), await browserOf(await createUser())]
    const ask = async (parameters: Record<string, string>) => {
      const { url } = await authorizationRequest(app, parameters)
      return browser.open(url)
    }
    const wiki = await ask({ scope: 'openid profile', resource: WIKI })
    await browser.submit(wiki, INTERACTION, { decision: 'allow' })
    const chat = await ask({ scope: 'openid', resource: CHAT })
    await browser.submit(chat, INTERACTION, { decision: 'allow' })
    const again = await ask({ scope: 'openid', resource: CHAT })
    const both = await ask({ scope: 'openid profile', resource: CHAT })
    assert.equal(again.url.origin, new URL(REDIRECT).origin)
    assert.match(both.url.pathname, INTERACTION)
  })

  test('a resource of {length} characters is taken: {isTaken}')
    .with([
      { length: 254, isTaken: true },
      { length: 255, isTaken: true },
      { length: 256, isTaken: false },
    ])
    .run(async ({ assert }, { length, isTaken }) => {
      const resource = `${WIKI}/`.padEnd(length, 'x')
      const { url } = await authorizationRequest(await application(), { resource })
      const browser = await browserOf(await createUser())
      const page = await browser.open(url)
      assert.equal(INTERACTION.test(page.url.pathname), isTaken)
    })
})

test.group('Consent | number of services', () => {
  test('a request that names {count} is taken: {isTaken}')
    .with([
      { count: 9, isTaken: true },
      { count: 10, isTaken: true },
      { count: 11, isTaken: false },
    ])
    .run(async ({ assert }, { count, isTaken }) => {
      const { url } = await authorizationRequest(await application())
      for (let at = 1; at <= count; at++) url.searchParams.append('resource', `${WIKI}/${at}`)
      const browser = await browserOf(await createUser())
      const page = await browser.open(url)
      assert.equal(INTERACTION.test(page.url.pathname), isTaken)
    })
})

test.group('Consent | scopes that the client gets meanwhile', () => {
  const scopes: ClientScope[] = ['openid', 'users:read']
  const resources = [settings.issuer]

  async function asked() {
    const [app, user] = [await application({ scopes: ['openid'] }), await createUser()]
    const consent = { userId: user.id, clientId: app.client.clientId }
    const isGiven = () => isConsented(consent, { scopes, resources })
    const more = () => updateClient(app.client.id, { scopes }, SYSTEM)
    return { app, more, isGiven, browser: await browserOf(user) }
  }

  test('are asked for by the page before they are given', async ({ assert }) => {
    const { app, more, isGiven, browser } = await asked()
    const parameters = { scope: scopes.join(' '), resource: settings.issuer }
    const { url } = await authorizationRequest(app, parameters)
    const page = await browser.open(url)
    await more()
    const again = await browser.submit(page, INTERACTION, { decision: 'allow' })
    assert.match(again.url.pathname, INTERACTION)
    assert.isFalse(await isGiven())
    await browser.submit(again, INTERACTION, { decision: 'allow' })
    assert.isTrue(await isGiven())
  })

  test('are asked for by the page of a device before they are given', async ({ assert }) => {
    const { app, more, isGiven, browser } = await asked()
    await updateClient(app.client.id, { grantTypes: [DEVICE_GRANT] }, SYSTEM)
    const asking = { scope: scopes.join(' '), resource: settings.issuer }
    const started = await oidc.initiateDeviceAuthorization(app.config, asking)
    const form = await browser.open(started.verification_uri)
    const { user_code: code } = started
    const page = await browser.submit(form, /^\/oauth\/device$/, { user_code: code })
    await more()
    const again = await browser.submit(page, ANSWER, { decision: 'allow' })
    assert.isFalse(await isGiven())
    await browser.submit(again, ANSWER, { decision: 'allow' })
    assert.isTrue(await isGiven())
  })
})

test.group('Consent | withdrawn meanwhile', () => {
  test('a withdrawal before the grant is not overtaken', async ({ assert }) => {
    const [app, user] = [await application(), await createUser()]
    const browser = await browserOf(user)
    const consent = { userId: user.id, clientId: app.client.clientId }
    const access = { scopes: ['openid', 'profile', 'email'], resources: [] }
    await giveConsent(consent, access, SYSTEM)
    const { url } = await authorizationRequest(app)
    const { begun, release } = holdTransaction()
    const opened = browser.open(url)
    await begun
    await revokeConsent(consent, SYSTEM)
    release()
    const answer = await opened
    assert.equal(answer.url.searchParams.get('error'), 'access_denied')
    const sessions = await listSessions(user.id)
    assert.deepEqual(
      sessions.map(({ clientId }) => clientId),
      [null]
    )
  })
})
