import { test } from '@japa/runner'
import * as oidc from 'openid-client'
import settings from '#config/oidc'
import limits from '#config/limits'
import { createUser, signedIn } from '#tests/support/fixtures'
import { application, authorizationRequest, browserOf, throughProxy } from '#tests/support/oidc'
import { post, PUBLIC, signedInto } from './attacker.ts'

/* Attacks by somebody who has read the source code. */

test.group('Attack | tokens of others', () => {
  test('another client neither uses nor ends a refresh token', async ({ assert }) => {
    const [own, other] = await Promise.all([application(PUBLIC), application(PUBLIC)])
    const { tokens } = await signedInto(own)
    const token = tokens.refresh_token!
    const client = { client_id: other.client.clientId }
    const used = await post('/oauth/token', {
      ...client,
      grant_type: 'refresh_token',
      refresh_token: token,
    })
    assert.equal(used.body.error, 'invalid_grant')
    await post('/oauth/revoke', { ...client, token })
    await assert.doesNotReject(() => oidc.refreshTokenGrant(own.config, token))
  })

  test('a refresh gives no scope beyond the first', async ({ assert }) => {
    const app = await application(PUBLIC)
    const { tokens } = await signedInto(app)
    const { body } = await post('/oauth/token', {
      grant_type: 'refresh_token',
      client_id: app.client.clientId,
      refresh_token: tokens.refresh_token!,
      scope: 'openid profile email offline_access',
    })
    assert.equal(body.error, 'invalid_scope')
  })

  test('a refresh gives no token for another service', async ({ assert }) => {
    const app = await application(PUBLIC)
    const { tokens } = await signedInto(app)
    const { body } = await post('/oauth/token', {
      grant_type: 'refresh_token',
      client_id: app.client.clientId,
      refresh_token: tokens.refresh_token!,
      resource: 'https://other.example/',
    })
    assert.notProperty(body, 'access_token')
  })

  test('an ID token opens neither the API nor userinfo', async ({ client, assert }) => {
    const { tokens } = await signedInto(await application(PUBLIC))
    const headers = { authorization: `Bearer ${tokens.id_token}` }
    const [profile, userinfo] = await Promise.all([
      client.get('/auth/profile').headers(headers),
      client.get('/oauth/userinfo').headers(headers),
    ])
    assert.deepEqual([profile.status(), userinfo.status()], [401, 401])
  })

  test('the opaque token does not open the API', async ({ client }) => {
    const { tokens } = await signedInto(await application(PUBLIC))
    const headers = { authorization: `Bearer ${tokens.access_token}` }
    const response = await client.get('/auth/profile').headers(headers)
    response.assertStatus(401)
  })

  test('a token of the API does not open userinfo', async ({ client }) => {
    const { headers } = await signedIn(client, await createUser())
    const response = await client.get('/oauth/userinfo').headers(headers)
    response.assertStatus(401)
  })

  test('a token in the address is not read', async ({ client, assert }) => {
    const { tokens } = await signedInto(await application(PUBLIC))
    const response = await client.get(`/oauth/userinfo?access_token=${tokens.access_token}`)
    assert.include([400, 401], response.status())
  })

  test('{resource} is no other name of the API')
    .with([
      { resource: 'http://gatehouse.test:80/' },
      { resource: 'http://GATEHOUSE.test' },
      { resource: 'http://gatehouse.test/auth' },
      { resource: 'http://gatehouse.test?x' },
      { resource: 'http://evil.example' },
      { resource: 'https://evil.example/#x' },
    ])
    .run(async ({ assert }, { resource }) => {
      const { url } = await authorizationRequest(await application(PUBLIC), { resource })
      const browser = await browserOf(await createUser())
      const answer = await browser.open(url)
      assert.isNull(answer.url.searchParams.get('code'))
      assert.equal(answer.url.searchParams.get('error'), 'invalid_target')
    })
})

test.group('Attack | DPoP', () => {
  test('a proof that was used is refused', async ({ assert }) => {
    const app = await application(PUBLIC)
    const key = oidc.getDPoPHandle(app.config, await oidc.randomDPoPKeyPair())
    const user = await createUser()
    const { url, checks } = await authorizationRequest(app)
    const browser = await browserOf(user)
    const answer = await browser.open(url)
    const options = { DPoP: key }
    const tokens = await oidc.authorizationCodeGrant(app.config, answer.url, checks, {}, options)
    let proof = ''
    app.config[oidc.customFetch] = (address: string, init: any) => {
      proof = new Headers(init.headers).get('dpop')!
      return throughProxy(address, init)
    }
    await oidc.fetchUserInfo(app.config, tokens.access_token, user.id, options)
    const headers = { dpop: proof, authorization: `DPoP ${tokens.access_token}` }
    const again = await throughProxy(`${settings.issuer}/oauth/userinfo`, { headers })
    assert.equal(again.status, 401)
  })

  test('a refresh token bound to a key needs its proof', async ({ assert }) => {
    const app = await application(PUBLIC)
    const key = oidc.getDPoPHandle(app.config, await oidc.randomDPoPKeyPair())
    const scope = { scope: 'openid offline_access' }
    const { url, checks } = await authorizationRequest(app, scope)
    const browser = await browserOf(await createUser())
    const answer = await browser.open(url)
    const options = { DPoP: key }
    const tokens = await oidc.authorizationCodeGrant(app.config, answer.url, checks, {}, options)
    const other = oidc.getDPoPHandle(app.config, await oidc.randomDPoPKeyPair())
    const refresh = (given: object) =>
      oidc.refreshTokenGrant(app.config, tokens.refresh_token!, {}, given)
    await assert.rejects(() => refresh({}))
    await assert.rejects(() => refresh({ DPoP: other }))
    await assert.doesNotReject(() => refresh(options))
  })
})

test.group('Attack | rows without end', () => {
  async function pushedOf(length: number) {
    const app = await application(PUBLIC)
    const { url } = await authorizationRequest(app, { login_hint: 'x'.repeat(length) })
    return post('/oauth/par', Object.fromEntries(url.searchParams))
  }

  test('a pushed request has 4 KB at most', async ({ assert }) => {
    const [short, long] = [await pushedOf(2_000), await pushedOf(4_000)]
    assert.equal(short.status, 201)
    assert.equal(long.status, 400)
    assert.equal(long.body.error, 'invalid_request')
  })

  test('a request of a device has 4 KB at most', async ({ assert }) => {
    const grantTypes = ['urn:ietf:params:oauth:grant-type:device_code'] as const
    const given = { ...PUBLIC, grantTypes: [...grantTypes], redirectUris: [] }
    const { client } = await application(given)
    const scope = `openid ${'x'.repeat(4_000)}`
    const resource = settings.issuer
    const parameters = { client_id: client.clientId, scope, resource }
    const { status } = await post('/oauth/device/authorization', parameters)
    assert.equal(status, 400)
  })

  test('the 121st refresh of a session in an hour waits, and loses nothing', async ({
    assert,
    cleanup,
  }) => {
    const { rotation } = limits
    limits.rotation = { limit: 2, windowMs: 3_600_000 }
    cleanup(() => void (limits.rotation = rotation))
    const app = await application(PUBLIC)
    const { tokens } = await signedInto(app)
    let token = tokens.refresh_token!
    const refresh = () =>
      post('/oauth/token', {
        grant_type: 'refresh_token',
        client_id: app.client.clientId,
        refresh_token: token,
      })
    for (let count = 1; count <= 2; count++) {
      const { body } = await refresh()
      token = body.refresh_token
    }
    const refused = await refresh()
    assert.equal(refused.status, 429)
    assert.equal(refused.body.error, 'slow_down')
    limits.rotation = { limit: 0, windowMs: 3_600_000 }
    const later = await refresh()
    assert.equal(later.status, 200)
  })
})
