import { test } from '@japa/runner'
import { bearer, createAdmin, keyOf, signedIn } from '#tests/support/fixtures'
import { readClients } from '#oidc/clients/client_rows'
import { readPresets } from '#oidc/presets/preset'
import type { ApiClient } from '@japa/api-client'

/* Applications that are registered by a preset. */

const ACME = 'https://apps.acme.test/one'

async function register(client: ApiClient, body: object) {
  const { headers } = await signedIn(client, await createAdmin())
  return client.post('/oauth-clients').headers(headers).json(body)
}

test.group('Clients | presets', () => {
  test('register every known application', async ({ client, assert }) => {
    const { headers } = await signedIn(client, await createAdmin())
    for (const { id, pkce, auth } of await readPresets()) {
      const body = { preset: id, url: ACME, name: `By preset ${id}` }
      const response = await client.post('/oauth-clients').headers(headers).json(body)
      assert.equal(response.status(), 201, `${id}: ${response.text()}`)
      const expected = { requirePkce: pkce !== 'none', tokenEndpointAuthMethod: auth }
      assert.containsSubset(response.body(), expected)
    }
  })

  test('give way to what is sent', async ({ client }) => {
    const body = { preset: 'nextcloud', url: ACME, name: 'Files', kind: 'third_party' }
    const response = await register(client, body)
    response.assertBodyContains({
      name: 'Files',
      kind: 'third_party',
      redirectUris: [`${ACME}/apps/user_oidc/code`, `${ACME}/index.php/apps/user_oidc/code`],
      postLogoutRedirectUris: [`${ACME}/`],
      backchannelLogoutUri: `${ACME}/index.php/apps/user_oidc/backchannel-logout/gatehouse`,
    })
  })

  test('send nothing to the address of an example', async ({ client }) => {
    const redirectUris = ['https://apps.acme.test/own']
    const response = await register(client, { preset: 'nextcloud', redirectUris })
    response.assertBodyContains({ redirectUris, backchannelLogoutUri: null })
  })

  test('refuse {shown} on {field}')
    .with(
      [
        { body: { preset: 'nothing', url: ACME }, field: 'preset' },
        { body: { preset: '__proto__', url: ACME }, field: 'preset' },
        { body: { preset: 'grafana' }, field: 'url' },
        { body: { preset: 'grafana', url: 'javascript:alert(1)' }, field: 'url' },
        { body: { preset: 'grafana', url: `https://${'a'.repeat(2_001)}` }, field: 'url' },
        { body: { preset: 'grafana', url: 'http://apps.acme.test' }, field: 'redirectUris' },
        { body: { preset: 'react', url: ACME }, field: 'name' },
        { body: {}, field: 'name' },
      ].map((cell) => ({ ...cell, shown: JSON.stringify(cell.body).slice(0, 60) }))
    )
    .run(async ({ client, assert }, { body, field }) => {
      const before = await readClients()
      const response = await register(client, body)
      response.assertStatus(400)
      assert.equal(response.body().errors[0].field, field)
      assert.lengthOf(await readClients(), before.length)
    })

  test('let a key make no first-party client', async ({ client, assert }) => {
    const { key } = await keyOf(await createAdmin(), ['clients:write'])
    const send = (body: object) => client.post('/oauth-clients').headers(bearer(key)).json(body)
    const refused = await send({ preset: 'grafana', url: ACME })
    assert.deepEqual([refused.status(), refused.body().code], [403, 'E_INSUFFICIENT_SCOPE'])
    const allowed = await send({ preset: 'grafana', url: ACME, kind: 'third_party' })
    allowed.assertStatus(201)
  })
})
