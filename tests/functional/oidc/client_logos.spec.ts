import { freezeTime, test, timeTravel } from '@japa/runner'
import sharp from 'sharp'
import db from '@adonisjs/lucid/services/db'
import limits from '#config/limits'
import { SYSTEM } from '#audit/actor'
import { createClient, deleteClient } from '#oidc/clients/clients'
import { createAdmin, createUser, keyOf, PASSWORD, signedIn } from '#tests/support/fixtures'
import { setLimit } from '#tests/support/limits'
import { recordsWhere } from '#tests/support/trail'
import type { ApiClient } from '@japa/api-client'

const GRAFANA = { name: 'Grafana', redirectUris: ['https://grafana.example.org/cb'] }

type Format = 'png' | 'jpeg' | 'webp' | 'gif'

function picture(format: Format, width = 40, height = 20) {
  const create = { width, height, channels: 3 as const, background: '#a03060' }
  return sharp({ create }).toFormat(format).toBuffer()
}

async function someClient(given: object = {}) {
  const { client } = await createClient({ ...GRAFANA, ...given }, SYSTEM)
  return client
}

interface Upload {
  id: string
  headers: Record<string, string>
  file?: Buffer
  fields?: Record<string, string>
}

async function upload(client: ApiClient, { id, headers, file, fields = {} }: Upload) {
  const request = client.put(`/oauth-clients/${id}/logo`).headers(headers).fields(fields)
  const content = file ?? (await picture('png'))
  return request.file('file', content, { filename: 'logo.png' })
}

async function asAdmin(client: ApiClient) {
  const { headers } = await signedIn(client, await createAdmin())
  return headers
}

test.group('Client logo | API', () => {
  test('a picture as {$self} is drawn anew and served')
    .with(['png', 'jpeg', 'webp'] as Format[])
    .run(async ({ client, assert }, format) => {
      const { id } = await someClient()
      const headers = await asAdmin(client)
      const response = await upload(client, { id, headers, file: await picture(format) })
      const served = await client.get(response.body().logo)
      const { format: kind, width, height, exif } = await sharp(served.body()).metadata()
      response.assertStatus(200)
      assert.deepEqual([kind, width, height, exif], ['webp', 512, 512, undefined])
      assert.equal(served.header('content-type'), 'image/webp')
      assert.equal(served.header('x-content-type-options'), 'nosniff')
    })

  test('{what} is refused with {status}')
    .with([
      { what: 'a GIF', file: () => picture('gif'), status: 400 },
      {
        what: 'an SVG',
        file: () => Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'),
        status: 400,
      },
      { what: 'more than 1 MB', file: () => Buffer.alloc(1_048_577), status: 413 },
    ])
    .run(async ({ client, assert }, { file, status }) => {
      const { id } = await someClient()
      const headers = await asAdmin(client)
      const response = await upload(client, { id, headers, file: await file() })
      const row = await db.from('oauth_clients').where({ id }).firstOrFail()
      assert.equal(response.status(), status)
      assert.isNull(row.logo)
    })

  test('another logo replaces the first', async ({ client, assert }) => {
    const { id } = await someClient()
    const headers = await asAdmin(client)
    const first = await upload(client, { id, headers })
    const second = await upload(client, { id, headers })
    const [gone, kept] = [await client.get(first.body().logo), await client.get(second.body().logo)]
    assert.deepEqual([gone.status(), kept.status()], [404, 200])
  })

  test('a logo goes by DELETE and with its client', async ({ client, assert }) => {
    const [one, other] = [await someClient(), await someClient()]
    const headers = await asAdmin(client)
    const paths = []
    for (const { id } of [one, other]) {
      const response = await upload(client, { id, headers })
      paths.push(response.body().logo)
    }
    const removed = await client.delete(`/oauth-clients/${one.id}/logo`).headers(headers)
    await deleteClient(other.id, SYSTEM)
    const rows = await db.from('oauth_client_logos').whereIn('id', [one.id, other.id])
    assert.isNull(removed.body().logo)
    assert.isEmpty(rows)
    for (const path of paths) {
      const response = await client.get(path)
      response.assertStatus(404)
    }
  })

  test('a removal without a logo is no event', async ({ client, assert }) => {
    const { id, clientId } = await someClient()
    const headers = await asAdmin(client)
    await client.delete(`/oauth-clients/${id}/logo`).headers(headers)
    const events = await recordsWhere({ action: 'client.updated' })
    assert.isFalse(events.some(({ details }) => details.clientId === clientId))
  })
})

test.group('Client logo | limit', () => {
  test('a picture beyond it is not decoded', async ({ client, assert }) => {
    setLimit(limits.clientChanges, 2)
    const { id } = await someClient()
    const { headers } = await keyOf(await createAdmin(), ['clients:write'])
    const statuses = []
    for (let number = 1; number <= 3; number++) {
      const response = await upload(client, { id, headers, file: Buffer.from('no picture') })
      statuses.push(response.status())
    }
    assert.deepEqual(statuses, [400, 400, 429])
  })

  test('a change of the logo counts once', async ({ client, assert }) => {
    setLimit(limits.clientChanges, 2)
    const { id } = await someClient()
    const { headers } = await keyOf(await createAdmin(), ['clients:write'])
    const changed = await upload(client, { id, headers })
    const removed = await client.delete(`/oauth-clients/${id}/logo`).headers(headers)
    assert.deepEqual([changed.status(), removed.status()], [200, 200])
  })
})

test.group('Client logo | callers', () => {
  test('{who}: {status}')
    .with([
      { who: 'a user', given: {}, status: 403 },
      { who: 'a key', given: {}, status: 200 },
      { who: 'a key, at a client with the API', given: { scopes: ['users:read'] }, status: 403 },
    ])
    .run(async ({ client, assert }, { who, given, status }) => {
      const { id } = await someClient(given)
      const { headers } = who.startsWith('a key')
        ? await keyOf(await createAdmin(), ['clients:write'])
        : await signedIn(client, await createUser())
      const response = await upload(client, { id, headers })
      assert.equal(response.status(), status)
    })

  test('an old session needs the password in the form', async ({ client, assert }) => {
    freezeTime()
    const { id } = await someClient()
    const headers = await asAdmin(client)
    timeTravel(600_001)
    const without = await upload(client, { id, headers })
    const fields = { currentPassword: PASSWORD }
    const withPassword = await upload(client, { id, headers, fields })
    assert.equal(without.body().code, 'E_RECENT_LOGIN_REQUIRED')
    withPassword.assertStatus(200)
  })
})
