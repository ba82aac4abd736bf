import { test } from '@japa/runner'
import { issuer } from '#config/app'
import {
  createAdmin,
  createUser,
  keyOf,
  PASSWORD,
  signedIn,
  someEmail,
} from '#tests/support/fixtures'
import { allow } from '#tests/support/client_documents'
import { application, authorizationRequest, browserOf, REDIRECT } from '#tests/support/oidc'
import { insertClient } from '#oidc/clients/client_rows'
import db from '@adonisjs/lucid/services/db'
import type { ApiClient } from '@japa/api-client'

/* The caller who registers a client chooses its id. */

async function register(client: ApiClient, clientId: string) {
  const { headers } = await keyOf(await createAdmin(), ['clients:write'])
  const body = { name: 'Wiki', clientId, redirectUris: [REDIRECT] }
  return client.post('/oauth-clients').headers(headers).json(body)
}

test.group('OpenID provider | hostile ids of clients', () => {
  test('{$self} is refused, a name of each object')
    .with(['__proto__', 'constructor', 'toString'])
    .run(async ({ client }, clientId) => {
      const response = await register(client, clientId)
      response.assertStatus(400)
      response.assertBodyContains({ errors: [{ field: 'clientId' }] })
    })

  test('a sign-in to a client of such an id changes no object', async ({ assert, cleanup }) => {
    const app = await application({ kind: 'third_party', requireVerifiedEmail: false })
    const clientId = '__proto__'
    await db.from('oauth_clients').where('id', app.client.id).delete()
    await db.transaction((trx) => insertClient({ ...app.client, clientId }, trx))
    cleanup(async () => void (await db.from('oauth_clients').where('id', app.client.id).delete()))
    const browser = await browserOf(await createUser())
    const { url } = await authorizationRequest(app, { client_id: clientId, scope: 'openid' })
    await allow(browser, await browser.open(url))
    assert.isEmpty(Object.keys(Object.prototype))
  })

  test('an audience of our own tokens is taken', async ({ client }) => {
    const response = await register(client, issuer)
    response.assertStatus(409)
    response.assertBodyContains({ code: 'E_CLIENT_ID_TAKEN' })
  })

  test('a client learns of no token of a sign-in here', async ({ client, assert }) => {
    const app = await application()
    const { accessToken } = await signedIn(client, await createUser())
    const credentials = { client_id: app.client.clientId, client_secret: app.clientSecret! }
    const answer = await client
      .post('/oauth/introspect')
      .form({ ...credentials, token: accessToken })
    assert.deepEqual(answer.body(), { active: false })
  })

  test('a key deletes no client that a user allowed', async ({ client }) => {
    const app = await application({ kind: 'third_party', requireVerifiedEmail: false })
    const browser = await browserOf(await createUser())
    const { url } = await authorizationRequest(app, { scope: 'openid' })
    await allow(browser, await browser.open(url))
    const { headers } = await keyOf(await createAdmin(), ['clients:write'])
    const response = await client.delete(`/oauth-clients/${app.client.id}`).headers(headers)
    response.assertStatus(403)
    response.assertBodyContains({ code: 'E_INSUFFICIENT_SCOPE' })
  })
})

test.group('Handles | names of roles', () => {
  test('a key gives none away', async ({ client, assert }) => {
    const { headers } = await keyOf(await createAdmin(), ['users:write'])
    const body = { email: someEmail(), username: 'postmaster', password: PASSWORD }
    const made = await client.post('/users').headers(headers).json(body)
    assert.equal(made.status(), 201)
    assert.notEqual(made.body().handle, 'postmaster')
  })
})
