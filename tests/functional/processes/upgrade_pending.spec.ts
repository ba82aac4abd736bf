import { randomUUID } from 'node:crypto'
import { test } from '@japa/runner'
import db from '@adonisjs/lucid/services/db'
import { version } from '#config/app'
import { SYSTEM } from '#audit/actor'
import { createClient, updateClient } from '#oidc/clients/clients'
import { DEFAULTS } from '#oidc/clients/client_fields'
import { FIRST_KNOWN, type Restriction } from '#processes/upgrade'
import { insertProcess } from '#processes/process_rows'
import { createAdmin, signedIn } from '#tests/support/fixtures'
import type { ClientSettings } from '#oidc/clients/client'

const OLDER = '0.1.9'

const RESTRICTING: Record<Restriction, Partial<ClientSettings>> = {
  access: { access: 'groups' },
  requireDpop: { requireDpop: true },
  requireMfa: { requireMfa: true },
  requirePar: { requirePar: true },
  requireVerifiedEmail: { requireVerifiedEmail: true },
}

const RESTRICTIONS = Object.keys(FIRST_KNOWN) as Restriction[]

const RESTRICTS_BY_DEFAULT = RESTRICTIONS.filter((name) => {
  const [[field, value]] = Object.entries(RESTRICTING[name])
  return DEFAULTS[field as keyof typeof DEFAULTS] === value
})

async function someProcess(of: string) {
  const row = { id: randomUUID(), version: of, host: 'one.example', settings: null }
  await db.transaction((trx) => insertProcess(trx, { ...row, role: 'server' }))
}

async function empty() {
  await db.from('processes').delete()
}

async function openClient() {
  const uris = { redirectUris: ['https://grafana.example.org/cb'] }
  const settings = { name: 'Grafana', requireVerifiedEmail: false, access: 'everybody' as const }
  const { client } = await createClient({ ...settings, ...uris }, SYSTEM)
  return client.id
}

test.group('Upgrade | restrictions', (group) => {
  group.each.setup(empty)
  group.each.teardown(empty)

  test('{$self} waits for an older server to end')
    .with(RESTRICTIONS)
    .run(async ({ client, assert }, restriction) => {
      const id = await openClient()
      const { headers } = await signedIn(client, await createAdmin())
      const change = () =>
        client.put(`/oauth-clients/${id}`).headers(headers).json(RESTRICTING[restriction])
      await someProcess(version)
      await someProcess(OLDER)
      const refused = await change()
      refused.assertStatus(409)
      refused.assertBodyContains({
        code: 'E_UPGRADE_PENDING',
        fields: [restriction],
        versions: [OLDER],
      })
      await db.from('processes').where('version', OLDER).decrement('seen_at', 30_000)
      const allowed = await change()
      assert.equal(allowed.status(), 200, allowed.text())
    })

  test('a new client with {$self} waits too')
    .with(RESTRICTIONS.filter((name) => !RESTRICTS_BY_DEFAULT.includes(name)))
    .run(async ({ client }, restriction) => {
      const { headers } = await signedIn(client, await createAdmin())
      await someProcess(OLDER)
      const body = { name: 'Grafana', redirectUris: ['https://grafana.example.org/cb'] }
      const request = client.post('/oauth-clients').headers(headers)
      const refused = await request.json({ ...body, ...RESTRICTING[restriction] })
      refused.assertStatus(409)
      refused.assertBodyContains({ code: 'E_UPGRADE_PENDING' })
    })

  test('a client of defaults and a loosened one wait for none', async ({ assert }) => {
    await someProcess(OLDER)
    const uris = { redirectUris: ['https://grafana.example.org/cb'] }
    const { client } = await createClient({ name: 'Grafana', ...uris }, SYSTEM)
    const changed = await updateClient(client.id, { requireVerifiedEmail: false }, SYSTEM)
    assert.isFalse(changed.requireVerifiedEmail)
  })

  test('a server of this version or a later one is none to wait for', async ({ assert }) => {
    for (const each of [version, '99.0.0']) await someProcess(each)
    const changed = await updateClient(await openClient(), { requireMfa: true }, SYSTEM)
    assert.isTrue(changed.requireMfa)
  })
})
