import { freezeTime, test, timeTravel } from '@japa/runner'
import db from '@adonisjs/lucid/services/db'
import settings from '#config/oidc'
import tokenSettings from '#config/tokens'
import { SYSTEM } from '#audit/actor'
import { addServiceAccount } from '#users/service_accounts'
import { DEVICE_GRANT } from '#oidc/clients/client'
import { bearer, createUser } from '#tests/support/fixtures'
import { deliverMails, mailFilesOf } from '#tests/support/mail'
import {
  application,
  authorizationRequest,
  browserOf,
  REDIRECT,
  throughProxy,
  tokensOf,
} from '#tests/support/oidc'
import { post, PUBLIC, signedInto } from './attacker.ts'
import type User from '#models/user'

/* Codes and refresh tokens that are used again, and tokens that a client revokes. */

const LATER_MS = tokenSettings.rotationGraceMs + 1_000

async function eventsOf(user: { id: string }, action: string) {
  const rows = await db.from('audit_events').where({ action, target_id: user.id })
  return rows.map(({ actor }) => actor as string)
}

async function mailsTo(user: User) {
  await deliverMails()
  const mails = await mailFilesOf(user.email)
  return mails.map(({ kind }) => kind)
}

async function userinfo(token: string) {
  const headers = { authorization: `Bearer ${token}` }
  const response = await throughProxy(`${settings.issuer}/oauth/userinfo`, { headers })
  return response.status
}

test.group('Refresh token of a public client | used again', () => {
  async function signedIn() {
    const app = await application(PUBLIC)
    const { user, tokens } = await signedInto(app)
    const credentials = { client_id: app.client.clientId, grant_type: 'refresh_token' }
    const refresh = (token: string) =>
      post('/oauth/token', { ...credentials, refresh_token: token })
    return { user, first: tokens.refresh_token!, refresh }
  }

  test('at once, by ten requests, gives all the same successor', async ({ assert }) => {
    const { user, first, refresh } = await signedIn()
    const answers = await Promise.all(Array.from({ length: 10 }, () => refresh(first)))
    assert.deepEqual(
      answers.map(({ status }) => status),
      Array.from({ length: 10 }, () => 200)
    )
    const successors = new Set(answers.map(({ body }) => body.refresh_token))
    assert.equal(successors.size, 1)
    const { status } = await refresh([...successors][0])
    assert.equal(status, 200)
    assert.deepEqual(await eventsOf(user, 'refresh.reused'), [])
  })

  test('a repeat {when} its successor was used: {status}')
    .with([
      { when: 'before', usesSuccessor: false, status: 200 },
      { when: 'after', usesSuccessor: true, status: 400 },
    ])
    .run(async ({ assert }, { usesSuccessor, status }) => {
      const { user, first, refresh } = await signedIn()
      const { body } = await refresh(first)
      if (usesSuccessor) await refresh(body.refresh_token)
      const again = await refresh(first)
      assert.equal(again.status, status)
      const events = await eventsOf(user, 'refresh.reused')
      assert.lengthOf(events, usesSuccessor ? 1 : 0)
    })

  test('after the grace ends the session, is recorded and mailed', async ({ assert }) => {
    freezeTime()
    const { user, first, refresh } = await signedIn()
    const { body } = await refresh(first)
    timeTravel(LATER_MS)
    const again = await refresh(first)
    assert.deepEqual([again.status, again.body.error], [400, 'invalid_grant'])
    assert.deepEqual(await eventsOf(user, 'refresh.reused'), ['anonymous'])
    assert.deepEqual(await mailsTo(user), ['refresh_reused'])
    const successor = await refresh(body.refresh_token)
    assert.equal(successor.status, 400)
  })
})

test.group('Code | used again', () => {
  async function redeemed() {
    const user = await createUser()
    const app = await application(PUBLIC)
    const { url, verifier } = await authorizationRequest(app)
    const browser = await browserOf(user)
    const answer = await browser.open(url)
    const redeem = () =>
      post('/oauth/token', {
        grant_type: 'authorization_code',
        client_id: app.client.clientId,
        redirect_uri: REDIRECT,
        code_verifier: verifier,
        code: answer.url.searchParams.get('code')!,
      })
    const { body } = await redeem()
    return { user, redeem, token: body.access_token as string }
  }

  test('by accident is refused, recorded once and ends nothing', async ({ assert }) => {
    const { user, redeem, token } = await redeemed()
    const again = await redeem()
    await redeem()
    assert.deepEqual([again.status, again.body.error], [400, 'invalid_grant'])
    assert.equal(await userinfo(token), 200)
    assert.deepEqual(await eventsOf(user, 'code.reused'), ['anonymous'])
    assert.deepEqual(await mailsTo(user), [])
  })

  test('later ends what it gave, is recorded and mailed', async ({ assert }) => {
    freezeTime()
    const { user, redeem, token } = await redeemed()
    timeTravel(LATER_MS)
    const again = await redeem()
    assert.equal(again.body.error, 'invalid_grant')
    assert.equal(await userinfo(token), 401)
    assert.deepEqual(await eventsOf(user, 'code.reused'), ['anonymous'])
    assert.deepEqual(await mailsTo(user), ['refresh_reused'])
  })
})

test.group('Revocation by a client', () => {
  async function signedIn(parameters: Record<string, string> = {}) {
    const user = await createUser()
    const app = await application({ kind: 'first_party' })
    const scope = 'openid offline_access'
    const tokens = await tokensOf(app, await browserOf(user), { scope, ...parameters })
    const credentials = { client_id: app.client.clientId, client_secret: app.clientSecret! }
    const revoke = (token: string) => post('/oauth/revoke', { ...credentials, token })
    const refresh = () =>
      post('/oauth/token', {
        ...credentials,
        grant_type: 'refresh_token',
        refresh_token: tokens.refresh_token!,
      })
    const actor = `client:${app.client.clientId}`
    return { user, app, actor, token: tokens.access_token, tokens, revoke, refresh }
  }

  test('an opaque token ends alone, and the session goes on', async ({ assert }) => {
    const { user, actor, token, revoke, refresh } = await signedIn()
    const revoked = await revoke(token)
    assert.equal(revoked.status, 200)
    assert.equal(await userinfo(token), 401)
    const { body } = await refresh()
    assert.equal(await userinfo(body.access_token), 200)
    assert.deepEqual(await eventsOf(user, 'token.revoked'), [actor])
  })

  test('a token of the API ends alone', async ({ client, assert }) => {
    const { user, actor, token, revoke, refresh } = await signedIn({ resource: settings.issuer })
    const revoked = await revoke(token)
    assert.deepEqual([revoked.status, revoked.body], [200, null])
    const profile = await client.get('/auth/profile').headers(bearer(token))
    profile.assertStatus(401)
    const { status } = await refresh()
    assert.equal(status, 200)
    assert.deepEqual(await eventsOf(user, 'token.revoked'), [actor])
  })

  test('a token for another service is inactive from then on', async ({ client, assert }) => {
    const { app, token, revoke } = await signedIn({ resource: 'https://mcp.example.org' })
    const introspect = async () => {
      const request = client.post('/oauth/introspect').form({ token })
      const response = await request.basicAuth(app.client.clientId, app.clientSecret!)
      return response.body().active
    }
    assert.isTrue(await introspect())
    const { status } = await revoke(token)
    assert.equal(status, 200)
    assert.isFalse(await introspect())
  })

  test('a refresh token ends the session, and is recorded', async ({ assert }) => {
    const { user, actor, token, tokens, revoke, refresh } = await signedIn()
    await revoke(tokens.refresh_token!)
    assert.equal(await userinfo(token), 401)
    const { body } = await refresh()
    assert.equal(body.error, 'invalid_grant')
    assert.deepEqual(await eventsOf(user, 'session.ended'), [actor])
  })

  test('{what} is answered 200 and left alone')
    .with([
      { what: 'a token of the API of another client', resource: settings.issuer },
      { what: 'an opaque token of another client', resource: undefined },
    ])
    .run(async ({ client, assert }, { resource }) => {
      const { user, token } = await signedIn(resource ? { resource } : {})
      const { revoke } = await signedIn()
      const { status } = await revoke(token)
      assert.equal(status, 200)
      const path = resource ? '/auth/profile' : '/oauth/userinfo'
      const response = await client.get(path).headers(bearer(token))
      response.assertStatus(200)
      assert.deepEqual(await eventsOf(user, 'token.revoked'), [])
    })

  test('a wrong secret revokes no token of the API', async ({ client }) => {
    const { app, token } = await signedIn({ resource: settings.issuer })
    const credentials = { client_id: app.client.clientId, client_secret: 'wrong' }
    await post('/oauth/revoke', { ...credentials, token })
    const profile = await client.get('/auth/profile').headers(bearer(token))
    profile.assertStatus(200)
  })
})

test.group('Sessions of machines and devices', () => {
  test('the start of a session of a machine is recorded, once', async ({ assert }) => {
    const account = await addServiceAccount({ username: 'Reports' }, SYSTEM)
    const { client, clientSecret } = await application({
      grantTypes: ['client_credentials'],
      redirectUris: [],
      serviceAccountId: account.id,
    })
    const credentials = { client_id: client.clientId, client_secret: clientSecret! }
    const ask = () => post('/oauth/token', { ...credentials, grant_type: 'client_credentials' })
    await ask()
    await ask()
    const events = await eventsOf(account, 'application.authorized')
    assert.deepEqual(events, [`client:${client.clientId}`])
  })

  test('a device that asks too often is told to slow down', async ({ assert }) => {
    const given = { ...PUBLIC, redirectUris: [] }
    const { client } = await application({ ...given, grantTypes: [DEVICE_GRANT] })
    const who = { client_id: client.clientId }

    async function deviceOf() {
      const { body } = await post('/oauth/device/authorization', { ...who, scope: 'openid' })
      const device = { ...who, grant_type: DEVICE_GRANT, device_code: body.device_code }
      return async () => {
        const answer = await post('/oauth/token', device)
        return `${answer.status} ${answer.body.error}`
      }
    }

    const [one, other] = [await deviceOf(), await deviceOf()]
    assert.equal(await one(), '400 authorization_pending')
    assert.equal(await one(), '400 slow_down')
    assert.equal(await other(), '400 authorization_pending')
  })
})
