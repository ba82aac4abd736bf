import { test } from '@japa/runner'
import type { ApiClient } from '@japa/api-client'
import db from '@adonisjs/lucid/services/db'
import Identity from '#models/identity'
import { SYSTEM } from '#audit/actor'
import { createProvider, updateProvider } from '#settings/external_providers'
import { tryProvider } from '#settings/try_provider'
import { createAdmin, createUser, someEmail } from '#tests/support/fixtures'
import { allowLoopback } from '#tests/support/loopback'
import { forgetSettings, silenceSettingsMails } from '#tests/support/settings'
import { HostileProvider } from '#tests/servers/hostile_provider'
import { TestBrowser } from '../external/browser.ts'

test.group('External providers | issuer', (group) => {
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

  const providerOf = (issuer: string) => ({
    name: 'corp',
    issuer,
    clientId: 'gatehouse',
    clientSecret: 'hunter2',
  })

  async function begin(client: ApiClient) {
    return client.get('/auth/external/corp').redirects(0)
  }

  /** The identity is one that an earlier version may have stored. */
  test('a document that names another issuer is refused', async ({ client }) => {
    const { subject } = server
    const named = 'https://login.victim.example'
    const { id: userId } = await createUser()
    const identity = { userId, provider: 'acme', issuer: named, subject, email: null }
    await Identity.create(identity)
    server.behaviour = { named }
    await createProvider(providerOf(`${server.issuer}/.well-known/another`), SYSTEM)
    const refused = await begin(client)
    refused.assertStatus(502)
    refused.assertBodyContains({ code: 'E_PROVIDER_FAILED' })
  })

  test('a slash at the end is the same issuer', async ({ assert }) => {
    server.behaviour = { named: `${server.issuer}/`, claims: { email: someEmail() } }
    await createProvider(providerOf(server.issuer), SYSTEM)
    const browser = new TestBrowser()
    const { status } = await browser.request(await browser.callbackOf('corp'))
    assert.equal(status, 200)
  })

  test('another issuer locks the last administrator out', async ({ assert }) => {
    await createProvider(providerOf(server.issuer), SYSTEM)
    await db.from('users').where('role', 'Admin').update({ disabled_at: 1 })
    const { id: userId } = await createAdmin({ password: null })
    const { issuer, subject } = server
    const identity = { userId, provider: 'corp', issuer: `${issuer}/`, subject, email: null }
    await Identity.create({ ...identity, linkedByOwner: true })
    const changes = providerOf('https://login.example')
    const refused = () => updateProvider('corp', changes, SYSTEM)
    await assert.rejects(refused, /administrator/i)
    await updateProvider('corp', { clientId: 'other' }, SYSTEM)
  })

  test('the claim {claim} that fits no column is unreadable')
    .with([
      { claim: 'sub', value: 's'.repeat(256) },
      { claim: 'sub', value: 's\0' },
      { claim: 'email', value: `${'e'.repeat(246)}@a.example` },
    ])
    .run(async ({ assert }, { claim, value }) => {
      await createProvider(providerOf(server.issuer), SYSTEM)
      server.behaviour = { claims: { email: someEmail(), [claim]: value } }
      const browser = new TestBrowser()
      const response = await browser.request(await browser.callbackOf('corp'))
      assert.equal(response.status, 502)
    })

  test('a name without an address is unreachable', async ({ assert }) => {
    const settings = { ...providerOf('https://login.invalid'), groupsClaim: null }
    const result = await tryProvider({ ...settings, isFromConsole: true })
    assert.deepEqual(result, { ok: false, reason: 'unreachable' })
  })
})
