import { test } from '@japa/runner'
import type { ApiClient } from '@japa/api-client'
import outbound from '#config/outbound'
import db from '@adonisjs/lucid/services/db'
import Identity from '#models/identity'
import { createAdmin, createUser, signedIn, someEmail } from '#tests/support/fixtures'
import { allowLoopback } from '#tests/support/loopback'
import { forgetSettings, silenceSettingsMails } from '#tests/support/settings'
import { recordsWhere } from '#tests/support/trail'
import { HostileProvider } from '#tests/servers/hostile_provider'
import { TestBrowser } from '../external/browser.ts'

async function asAdmin(client: ApiClient) {
  const admin = await createAdmin()
  const { headers } = await signedIn(client, admin)
  return { admin, headers }
}

/** Adds a provider as an administrator does, and starts its server. */
async function addedProvider(client: ApiClient) {
  const server = await HostileProvider.onLoopback()
  const { headers } = await asAdmin(client)
  const provider = { name: 'corp', issuer: server.issuer, clientId: 'gatehouse' }
  const body = { ...provider, clientSecret: 'hunter2' }
  const made = await client.post('/external-providers').headers(headers).json(body)
  made.assertStatus(201)
  return { server, headers, provider }
}

async function comeBack(browser = new TestBrowser()) {
  const response = await browser.request(await browser.callbackOf('corp'))
  return { status: response.status, body: (await response.json()) as any }
}

test.group('External providers | in the console', (group) => {
  silenceSettingsMails(group)
  allowLoopback(group)
  let server: HostileProvider | undefined

  group.each.teardown(async () => {
    await server?.stop()
    server = undefined
    await forgetSettings()
  })

  test('one that is added is listed and signs in new users', async ({ client, assert }) => {
    const added = await addedProvider(client)
    server = added.server
    const list = await client.get('/external-providers').headers(added.headers)
    assert.deepInclude(list.body(), { ...added.provider, source: 'console', writable: true })
    assert.notInclude(JSON.stringify(list.body()), 'hunter2')
    assert.deepInclude(list.body()[0], { name: 'acme', source: 'environment', writable: false })
    server.behaviour = { claims: { email: someEmail(), email_verified: true } }
    const { status, body } = await comeBack()
    assert.equal(status, 200, JSON.stringify(body))
  })

  test('an address alone links no existing user', async ({ client, assert }) => {
    const added = await addedProvider(client)
    server = added.server
    const { email } = await createUser()
    server.behaviour = { claims: { email, email_verified: true } }
    const { status, body } = await comeBack()
    assert.deepEqual([status, body.code], [409, 'E_IDENTITY_CONFLICT'])
  })

  test('an administrator signs in only by what they linked', async ({ client, assert }) => {
    const added = await addedProvider(client)
    server = added.server
    const { issuer, subject } = server
    const { id: userId } = await createAdmin()
    const identity = { userId, provider: 'corp', issuer, subject, email: null }
    const linked = await Identity.create({ ...identity, linkedByOwner: false })
    server.behaviour = { claims: { email: someEmail(), email_verified: true } }
    const refused = await comeBack()
    assert.deepEqual([refused.status, refused.body.code], [409, 'E_IDENTITY_CONFLICT'])
    await linked.merge({ linkedByOwner: true }).save()
    const { status } = await comeBack()
    assert.equal(status, 200)
  })

  test('another issuer needs the secret again', async ({ client, assert }) => {
    const added = await addedProvider(client)
    server = added.server
    const path = '/external-providers/corp'
    const change = (body: object) => client.put(path).headers(added.headers).json(body)
    const refused = await change({ issuer: 'https://evil.example' })
    refused.assertStatus(400)
    assert.equal(refused.body().errors[0].field, 'clientSecret')
    const same = await change({ clientId: 'other' })
    same.assertStatus(200)
    const again = await change({ issuer: 'https://login.example', clientSecret: 'hunter3' })
    again.assertStatus(200)
    assert.equal(again.body().issuer, 'https://login.example')
  })

  test('a name is taken once, and the environment has its own', async ({ client }) => {
    const added = await addedProvider(client)
    server = added.server
    const body = { issuer: 'https://login.example', clientId: 'a', clientSecret: 'b' }
    for (const name of ['corp', 'acme']) {
      const taken = await client
        .post('/external-providers')
        .headers(added.headers)
        .json({ name, ...body })
      taken.assertBodyContains({ code: 'E_PROVIDER_EXISTS' })
    }
    const locked = await client.delete('/external-providers/acme').headers(added.headers)
    locked.assertBodyContains({ code: 'E_SET_BY_ENVIRONMENT' })
    const unknown = await client.delete('/external-providers/nobody').headers(added.headers)
    unknown.assertStatus(404)
  })

  test('one that the environment hides is marked', async ({ client, assert }) => {
    const added = await addedProvider(client)
    server = added.server
    await db.from('external_providers').where('name', 'corp').update({ name: 'acme' })
    const other = { name: 'other', issuer: 'https://login.example', clientId: 'a' }
    const body = { ...other, clientSecret: 'b' }
    await client.post('/external-providers').headers(added.headers).json(body)
    const list = await client.get('/external-providers').headers(added.headers)
    const providers = list.body()
    const named = providers.filter(({ name }: { name: string }) => name === 'acme')
    assert.lengthOf(named, 1)
    assert.containSubset(named[0], { source: 'environment', writable: false, hidden: true })
    assert.notProperty(providers.at(-1), 'hidden')
  })

  test('one that is deleted signs no user in', async ({ client, assert }) => {
    const added = await addedProvider(client)
    server = added.server
    const deleted = await client.delete('/external-providers/corp').headers(added.headers)
    deleted.assertStatus(204)
    const response = await client.get('/auth/external/corp').redirects(0)
    response.assertStatus(404)
    const events = await recordsWhere({ action: 'settings.changed' })
    assert.deepInclude(events.at(-1)!.details, { OIDC_CORP_CLIENT_SECRET: 'changed' })
  })

  test('the address {issuer} is refused')
    .with([
      { issuer: 'http://login.example.org' },
      { issuer: 'https://10.0.0.1' },
      { issuer: 'https://169.254.169.254' },
      { issuer: 'https://gatehouse.test' },
      { issuer: 'https://a:b@login.example.org' },
      { issuer: 'file:///etc/passwd' },
      { issuer: 'https://gatehouse.test./' },
      { issuer: 'https://login.example.org/.well-known/openid-configuration' },
      { issuer: 'https://login.example.org/a\\.well-known\\b' },
    ])
    .run(async ({ client, assert }, { issuer }) => {
      outbound.networks = []
      const { headers } = await asAdmin(client)
      const body = { name: 'corp', issuer, clientId: 'a', clientSecret: 'b' }
      const refused = await client.post('/external-providers').headers(headers).json(body)
      refused.assertStatus(400)
      assert.equal(refused.body().errors[0].field, 'issuer')
    })
})

test.group('External providers | test', (group) => {
  silenceSettingsMails(group)
  allowLoopback(group)
  let server: HostileProvider

  group.each.setup(async () => {
    server = await HostileProvider.onLoopback()
  })
  group.each.teardown(async () => {
    await server.stop()
    await forgetSettings()
  })

  async function tryOut(client: ApiClient, input: object = {}) {
    const { headers } = await asAdmin(client)
    const typed = { issuer: server.issuer, clientId: 'gatehouse', clientSecret: 'hunter2' }
    const request = client.post('/external-providers/new/test').headers(headers)
    return request.json({ ...typed, ...input })
  }

  test('one that is not saved is tried', async ({ client, assert }) => {
    const response = await tryOut(client)
    response.assertStatus(200)
    response.assertBodyContains({ ok: true })
    assert.lengthOf(Object.keys(response.body()), 2)
  })

  test('a page instead of the document is told in our words', async ({ client, assert }) => {
    server.behaviour = { discovery: 'html' }
    const response = await tryOut(client)
    response.assertBodyContains({ ok: false })
    assert.notMatch(response.body().message, /<|html/i)
  })

  test('an address that may not be called is not called', async ({ client, assert }) => {
    outbound.networks = []
    const response = await tryOut(client, { issuer: 'https://localhost:9' })
    assert.oneOf(response.status(), [200, 400])
    assert.notEqual(response.body().ok, true)
  })
})
