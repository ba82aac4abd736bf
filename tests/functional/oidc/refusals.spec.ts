import { freezeTime, test, timeTravel } from '@japa/runner'
import db from '@adonisjs/lucid/services/db'
import settings from '#config/oidc'
import limits from '#config/limits'
import { deleteClient } from '#oidc/clients/clients'
import { pruneExpired } from '#maintenance/prune_expired'
import { listRefusals } from '#oidc/refusals/list_refusals'
import { arrivingRefusals } from '#oidc/refusals/record_refusal'
import { SYSTEM } from '#audit/actor'
import { createAdmin, createUser, signedIn } from '#tests/support/fixtures'
import { setLimit } from '#tests/support/limits'
import {
  application,
  browserOf,
  REDIRECT,
  throughProxy,
  tokensOf,
  type Application,
} from '#tests/support/oidc'
import { assertionOf, byAssertion, clientKey, strongClient } from '#tests/support/strong_clients'
import { ask, ELSEWHERE, refusalsOf, warningsOf } from '#tests/support/refusals'

/* The refusals of an application on its page, in the log and on the page of the browser. */

function post(
  { client: { clientId } }: Application,
  path: string,
  { secret, ...fields }: Record<string, string> & { secret?: string }
) {
  const credentials = Buffer.from(`${clientId}:${secret}`).toString('base64')
  const headers: Record<string, string> = secret ? { authorization: `Basic ${credentials}` } : {}
  const body = new URLSearchParams({ ...(secret ? {} : { client_id: clientId }), ...fields })
  return throughProxy(`${settings.issuer}${path}`, { method: 'POST', headers, body })
}

const strict = () => application({ requirePkce: true })
const own = (app: Application) => app.clientSecret!

interface Case {
  title: string
  request: (app: Application) => Promise<unknown>
  make?: () => Promise<Application>
  line: { reason: string; sent: string | null; setting: string | null }
}

const CASES: Case[] = [
  {
    title: 'a request without PKCE',
    make: strict,
    request: (app) => ask(app, { code_challenge: '', code_challenge_method: '' }),
    line: { reason: 'pkce', sent: null, setting: 'requirePkce' },
  },
  {
    title: 'a request of a public client without PKCE',
    make: () => application({ tokenEndpointAuthMethod: 'none' }),
    request: (app) => ask(app, { code_challenge: '', code_challenge_method: '' }),
    line: { reason: 'pkce', sent: null, setting: null },
  },
  {
    title: 'a request of an app with a secret without PKCE',
    make: () => application({ redirectUris: ['com.example.app:/cb'] }),
    request: (app) => {
      const challenge = { code_challenge: '', code_challenge_method: '' }
      return ask(app, { redirect_uri: 'com.example.app:/cb', ...challenge })
    },
    line: { reason: 'pkce', sent: null, setting: null },
  },
  {
    title: 'an address that is not registered',
    request: (app) => ask(app, { redirect_uri: `${ELSEWHERE}?code=secret` }),
    line: { reason: 'redirect_uri', sent: ELSEWHERE, setting: 'redirectUris' },
  },
  {
    title: 'an address with a password',
    request: (app) => ask(app, { redirect_uri: 'https://me:secret@elsewhere.example.org/' }),
    line: {
      reason: 'redirect_uri',
      sent: 'https://elsewhere.example.org/',
      setting: 'redirectUris',
    },
  },
  {
    title: 'a response type that is not supported',
    request: (app) => ask(app, { response_type: 'token' }),
    line: { reason: 'response_type', sent: 'token', setting: null },
  },
  {
    title: 'a response mode that is not supported',
    request: (app) => ask(app, { response_mode: 'web_message' }),
    line: { reason: 'response_mode', sent: 'web_message', setting: null },
  },
  {
    title: 'a wrong secret',
    request: (app) => post(app, '/oauth/token', { secret: 'wrong', grant_type: 'refresh_token' }),
    line: { reason: 'client_secret', sent: null, setting: null },
  },
  {
    title: 'a wrong secret at introspection',
    request: (app) => post(app, '/oauth/introspect', { secret: 'wrong', token: 'x' }),
    line: { reason: 'client_secret', sent: null, setting: null },
  },
  {
    title: 'no authentication',
    request: (app) => post(app, '/oauth/token', { grant_type: 'refresh_token' }),
    line: { reason: 'auth_method', sent: 'none', setting: 'tokenEndpointAuthMethod' },
  },
  {
    title: 'a grant type that the client may not use',
    request: (app) =>
      post(app, '/oauth/token', { secret: own(app), grant_type: 'client_credentials' }),
    line: { reason: 'grant_type', sent: 'client_credentials', setting: 'grantTypes' },
  },
  {
    title: 'a grant type that does not exist',
    request: (app) => post(app, '/oauth/token', { secret: own(app), grant_type: 'password' }),
    line: { reason: 'grant_type', sent: 'password', setting: 'grantTypes' },
  },
  {
    title: 'a code that is unknown',
    request: (app) =>
      post(app, '/oauth/token', {
        secret: own(app),
        grant_type: 'authorization_code',
        redirect_uri: ELSEWHERE,
        code: 'x',
      }),
    line: { reason: 'grant', sent: null, setting: null },
  },
  {
    title: 'a scope that was left out',
    make: () => application({ kind: 'first_party', scopes: ['openid'] }),
    request: async (app) =>
      tokensOf(app, await browserOf(await createUser()), { scope: 'openid email groups' }),
    line: { reason: 'scope', sent: 'email', setting: 'scopes' },
  },
  {
    title: 'a request that was not pushed',
    make: () => application({ requirePar: true }),
    request: (app) => ask(app, {}),
    line: { reason: 'par', sent: null, setting: 'requirePar' },
  },
  {
    title: 'a pushed request with an address that is not registered',
    request: (app) =>
      post(app, '/oauth/par', {
        secret: own(app),
        client_id: app.client.clientId,
        response_type: 'code',
        redirect_uri: ELSEWHERE,
        scope: 'openid',
      }),
    line: { reason: 'redirect_uri', sent: ELSEWHERE, setting: 'redirectUris' },
  },
  {
    title: 'a code without the DPoP proof that the client requires',
    make: () => application({ kind: 'first_party', requireDpop: true }),
    request: async (app) =>
      tokensOf(app, await browserOf(await createUser()), {}).catch(() => null),
    line: { reason: 'dpop', sent: null, setting: 'requireDpop' },
  },
  {
    title: 'a script of a page elsewhere',
    make: () => application({ tokenEndpointAuthMethod: 'none' }),
    request: ({ client: { clientId } }) => {
      const body = new URLSearchParams({ client_id: clientId, grant_type: 'authorization_code' })
      const headers = { origin: new URL(ELSEWHERE).origin }
      return throughProxy(`${settings.issuer}/oauth/token`, { method: 'POST', headers, body })
    },
    line: { reason: 'origin', sent: new URL(ELSEWHERE).origin, setting: 'redirectUris' },
  },
  {
    title: 'an assertion by another key',
    make: async () => ({ ...(await strongClient(await clientKey())), clientSecret: null }),
    request: async (app) => {
      const assertion = await assertionOf({ client: app.client, key: await clientKey() })
      return post(app, '/oauth/token', {
        ...byAssertion(assertion),
        grant_type: 'refresh_token',
        refresh_token: 'x',
      })
    },
    line: { reason: 'client_assertion', sent: null, setting: null },
  },
  {
    title: 'a DPoP proof that is none',
    request: ({ client: { clientId }, clientSecret }) => {
      const credentials = Buffer.from(`${clientId}:${clientSecret}`).toString('base64')
      const headers = { authorization: `Basic ${credentials}`, dpop: 'no proof' }
      const asked = { client_id: clientId, response_type: 'code', redirect_uri: REDIRECT }
      const body = new URLSearchParams({ ...asked, scope: 'openid' })
      return throughProxy(`${settings.issuer}/oauth/par`, { method: 'POST', headers, body })
    },
    line: { reason: 'dpop_proof', sent: null, setting: null },
  },
  {
    title: 'a resource with a fragment',
    request: (app) => ask(app, { resource: 'https://mcp.example.org/tools#all' }),
    line: { reason: 'resource', sent: 'https://mcp.example.org/tools', setting: null },
  },
  {
    title: 'an address after signing out that is not registered',
    request: ({ client: { clientId } }) => {
      const query = new URLSearchParams({
        client_id: clientId,
        post_logout_redirect_uri: ELSEWHERE,
      })
      return throughProxy(`${settings.issuer}/oauth/logout?${query}`)
    },
    line: {
      reason: 'post_logout_redirect_uri',
      sent: ELSEWHERE,
      setting: 'postLogoutRedirectUris',
    },
  },
]

test.group('Refusals | list', () => {
  test('{title} is a line')
    .with(CASES)
    .run(async ({ assert }, { make = application, request, line }) => {
      const app = await make()
      await request(app)
      const refusals = await refusalsOf(app)
      assert.lengthOf(refusals, 1)
      assert.containsSubset(refusals[0], { ...line, count: 1 })
      assert.isAbove(refusals[0].remedy.length, 10)
      assert.equal(refusals[0].firstAt, refusals[0].lastAt)
    })

  test('too many wrong secrets are a line of their own', async ({ assert }) => {
    const app = await application()
    const wrong = { secret: 'wrong', grant_type: 'refresh_token' }
    for (let time = 0; time < 22; time++) await post(app, '/oauth/token', wrong)
    const lines = await refusalsOf(app)
    assert.deepEqual(
      lines.map(({ reason, count }) => [reason, count]),
      [
        ['too_many_secrets', 2],
        ['client_secret', 20],
      ]
    )
  })

  test('the same request again adds to its count', async ({ assert }) => {
    const app = await strict()
    for (let time = 0; time < 3; time++) await ask(app, { redirect_uri: ELSEWHERE })
    const [line, ...others] = await refusalsOf(app)
    assert.lengthOf(others, 0)
    assert.equal(line.count, 3)
    assert.isBelow(Date.parse(line.firstAt), Date.parse(line.lastAt))
  })

  test('what the user refuses or has to do is no line', async ({ assert }) => {
    const app = await application()
    const answer = await ask(app, { prompt: 'none' })
    assert.equal(answer.url.searchParams.get('error'), 'login_required')
    assert.deepEqual(await refusalsOf(app), [])
  })

  test('a sent address has 200 printable ASCII characters', async ({ assert }) => {
    const app = await application()
    await ask(app, { redirect_uri: `https://elsewhere.example.org/\u202e${'ä'.repeat(300)}` })
    const [{ sent }] = await refusalsOf(app)
    assert.match(sent!, /^[\x20-\x7e]{200}$/)
  })

  test('the newest 10 of an outsider stay', async ({ assert }) => {
    const app = await application()
    for (let number = 0; number < 12; number++) {
      await ask(app, { redirect_uri: `${ELSEWHERE}/${number}` })
    }
    const lines = await refusalsOf(app)
    const paths = lines.map(({ sent }) => sent!.split('/').at(-1))
    assert.deepEqual(paths, ['11', '10', '9', '8', '7', '6', '5', '4', '3', '2'])
  })

  test('requests of the application and of administrators come first', async ({ assert }) => {
    const app = await application()
    const admin = await browserOf(await createAdmin())
    const user = await browserOf(await createUser())
    await ask(app, { redirect_uri: `${ELSEWHERE}/admin` }, admin)
    await post(app, '/oauth/token', { secret: own(app), grant_type: 'password' })
    for (let number = 0; number < 11; number++) {
      await ask(app, { redirect_uri: `${ELSEWHERE}/${number}` }, user)
    }
    const lines = await refusalsOf(app)
    assert.lengthOf(lines, 12)
    assert.deepEqual([lines[0].sent, lines[1].sent], ['password', `${ELSEWHERE}/admin`])
  })

  test('a wrong secret is no request of the application', async ({ assert }) => {
    const app = await application()
    const secret = 'wrong'
    await post(app, '/oauth/token', { secret, grant_type: 'password' })
    await refusalsOf(app)
    const rows = await db.from('oauth_refusals').where('client_id', app.client.id)
    assert.deepEqual(
      rows.map(({ is_trusted: isTrusted }) => Number(isTrusted)),
      [0]
    )
  })

  test('a header of another method is no request of the application', async ({ assert }) => {
    const app = await application()
    const { clientId: sub } = app.client
    const parts = [{ alg: 'none' }, { sub }].map((part) =>
      Buffer.from(JSON.stringify(part)).toString('base64url')
    )
    await throughProxy(`${settings.issuer}/oauth/token`, {
      method: 'POST',
      headers: { 'oauth-client-attestation': `${parts.join('.')}.x` },
      body: new URLSearchParams({ client_id: sub, grant_type: 'password' }),
    })
    const [line, ...others] = await listRefusals(app.client)
    assert.deepEqual([line.reason, line.isTrusted, others.length], ['request', false, 0])
  })
})

test.group('Refusals | kept', () => {
  test('a line of {hours} hours ago is listed: {isListed}')
    .with([
      { hours: 23, isListed: true },
      { hours: 24, isListed: false },
    ])
    .run(async ({ assert }, { hours, isListed }) => {
      freezeTime()
      const app = await application()
      await ask(app, { redirect_uri: ELSEWHERE })
      await refusalsOf(app)
      timeTravel(new Date(Date.now() + hours * 3_600_000))
      assert.lengthOf(await refusalsOf(app), isListed ? 1 : 0)
      await pruneExpired()
      const rows = await db.from('oauth_refusals').where('client_id', app.client.id)
      assert.lengthOf(rows, isListed ? 1 : 0)
    })

  test('lines end with their client', async ({ assert }) => {
    const app = await application()
    await ask(app, { redirect_uri: ELSEWHERE })
    assert.lengthOf(await refusalsOf(app), 1)
    await deleteClient(app.client.id, SYSTEM)
    assert.lengthOf(await db.from('oauth_refusals').where('client_id', app.client.id), 0)
  })

  test('no row has the secret, the query or the state that came', async ({ assert }) => {
    const app = await application()
    await ask(app, { redirect_uri: `${ELSEWHERE}?planted`, state: 'planted' })
    await post(app, '/oauth/token', { secret: 'planted', grant_type: 'refresh_token' })
    assert.lengthOf(await refusalsOf(app), 2)
    assert.notInclude(JSON.stringify(await db.from('oauth_refusals')), 'planted')
  })
})

test.group('Refusals | log', () => {
  const linesAbout = (lines: any[], { client: { clientId } }: Application) =>
    lines.filter((line) => line.clientId === clientId)

  test('a line is found by the request id of the page', async ({ assert }) => {
    const app = await application()
    const pages: string[] = []
    const lines = await warningsOf(async () => {
      const { html } = await ask(app, { redirect_uri: ELSEWHERE })
      pages.push(html)
      await arrivingRefusals()
    })
    const [, requestId] = /id="request-id">([^<]+)</.exec(pages[0])!
    const [line] = linesAbout(lines, app)
    const { reason, sent, setting } = {
      reason: 'redirect_uri',
      sent: ELSEWHERE,
      setting: 'redirectUris',
    }
    assert.containsSubset(line, { requestId, reason, sent, setting, count: 1 })
    assert.isString(line.remedy)
  })

  test('a minute has one line for each client and reason', async ({ assert }) => {
    const app = await application()
    const lines = await warningsOf(async () => {
      for (let time = 0; time < 3; time++) await ask(app, { redirect_uri: `${ELSEWHERE}/${time}` })
      await post(app, '/oauth/token', { secret: 'wrong', grant_type: 'refresh_token' })
      await arrivingRefusals()
    })
    assert.deepEqual(
      linesAbout(lines, app).map(({ reason }) => reason),
      ['redirect_uri', 'client_secret']
    )
  })

  test('an unknown client is one line', async ({ assert }) => {
    setLimit(limits.unknownClients, 1_000)
    const [app, unknown] = [await application(), `unknown-${Date.now()}`]
    const lines = await warningsOf(async () => {
      for (let time = 0; time < 2; time++) await ask(app, { client_id: unknown })
      await arrivingRefusals()
    })
    assert.lengthOf(
      lines.filter(({ clientId }) => clientId === unknown),
      1
    )
  })
})

test.group('Refusals | page', () => {
  const HOSTILE = 'https://elsewhere.example.org/<b>x</b>'

  test('a user sees the address that came, and no remedy', async ({ assert }) => {
    const app = await application()
    const user = await browserOf(await createUser())
    const { html } = await ask(app, { redirect_uri: HOSTILE }, user)
    assert.include(html, 'https://elsewhere.example.org/%3Cb%3Ex%3C/b%3E')
    assert.include(html, 'Ask your administrator')
    assert.notInclude(html, 'character by character')
    assert.notInclude(html, '/admin/clients')
  })

  test('an administrator sees the remedy, and the way to it', async ({ assert }) => {
    const app = await application()
    const admin = await browserOf(await createAdmin())
    const { html } = await ask(app, { redirect_uri: ELSEWHERE }, admin)
    assert.include(html, 'character by character')
    assert.include(html, `/admin/clients/${app.client.id}#refusals`)
  })

  test('an administrator sees that the client is unknown', async ({ assert }) => {
    const app = await application()
    const admin = await browserOf(await createAdmin())
    const { html } = await ask(app, { client_id: 'unknown' }, admin)
    assert.include(html, 'check the client ID')
  })
})

test.group('Refusals | API', () => {
  test('an administrator reads them', async ({ client, assert }) => {
    const app = await application()
    await ask(app, { redirect_uri: ELSEWHERE })
    const { headers } = await signedIn(client, await createAdmin())
    const response = await client.get(`/oauth-clients/${app.client.id}/refusals`).headers(headers)
    response.assertStatus(200)
    assert.lengthOf(response.body(), 1)
    assert.deepEqual(response.body(), await refusalsOf(app))
  })

  test('another user is refused, and an unknown id is not found', async ({ client }) => {
    const app = await application()
    const user = await signedIn(client, await createUser())
    const refused = await client
      .get(`/oauth-clients/${app.client.id}/refusals`)
      .headers(user.headers)
    refused.assertStatus(403)
    const admin = await signedIn(client, await createAdmin())
    const unknown = await client.get('/oauth-clients/unknown/refusals').headers(admin.headers)
    unknown.assertStatus(404)
  })
})
