import { request, type IncomingHttpHeaders } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { test } from '@japa/runner'
import router from '@adonisjs/core/services/router'
import { assetPath } from '#pages/assets'
import { createAdmin, createUser, PASSWORD, signedIn, someAddress } from '#tests/support/fixtures'
import { provedOn } from '#tests/support/proved_on'

provedOn('sqlite', 'Answers are compressed for what they are, after they were composed.')

const decoders = { br: brotliDecompressSync, gzip: gunzipSync }
const BROWSER = 'gzip, deflate, br, zstd'

interface Asked {
  method?: string
  body?: object
  headers?: Record<string, string>
}

/** Returns the raw bytes of a response. Every other client of the tests decodes them. */
async function ask(path: string, { method = 'GET', body, headers }: Asked = {}) {
  const json = body && JSON.stringify(body)
  const all = { ...(body && { 'content-type': 'application/json' }), ...headers }
  const options = { method, headers: { 'x-forwarded-for': someAddress(), ...all } }
  return new Promise<Answer>((resolve, reject) => {
    const url = `http://127.0.0.1:${process.env.PORT}${path}`
    const sent = request(url, options, async (response) => {
      const { statusCode: status, headers: received } = response
      resolve({ status: status!, headers: received, bytes: await buffer(response) })
    })
    sent.once('error', reject).end(json)
  })
}

interface Answer {
  status: number
  headers: IncomingHttpHeaders
  bytes: Buffer
}

const FILES = [
  { path: '/api-docs-json' },
  { path: '/api-docs/swagger-ui.css' },
  { path: '/api-docs/swagger-ui-bundle.js' },
  { path: assetPath('gatehouse.css') },
  { path: assetPath('gatehouse.js') },
]

test.group('Compression | files', () => {
  test('{path} is sent in what the client accepts')
    .with(FILES)
    .run(async ({ assert }, { path }) => {
      const plain = await ask(path)
      assert.isUndefined(plain.headers['content-encoding'])
      for (const [encoding, decode] of Object.entries(decoders)) {
        const { headers, bytes } = await ask(path, { headers: { 'accept-encoding': encoding } })
        assert.equal(headers['content-encoding'], encoding)
        assert.match(headers.vary!, /Accept-Encoding/i)
        assert.equal(headers['content-type'], plain.headers['content-type'])
        assert.equal(Number(headers['content-length']), bytes.length)
        assert.isBelow(bytes.length, plain.bytes.length / 1.5)
        assert.isTrue(decode(bytes).equals(plain.bytes))
      }
      assert.match(plain.headers.vary!, /Accept-Encoding/i)
    })

  test('“{accepted}” gets {encoding}')
    .with([
      { accepted: BROWSER, encoding: 'br' },
      { accepted: 'gzip, br;q=0', encoding: 'gzip' },
      { accepted: 'br;q=0, gzip;q=0', encoding: 'identity' },
      { accepted: 'identity', encoding: 'identity' },
      { accepted: 'zstd', encoding: 'identity' },
    ])
    .run(async ({ assert }, { accepted, encoding }) => {
      const { headers } = await ask('/api-docs-json', { headers: { 'accept-encoding': accepted } })
      assert.equal(headers['content-encoding'] ?? 'identity', encoding)
    })

  test('each encoding has its own tag', async ({ assert }) => {
    const inBrotli = { 'accept-encoding': 'br' }
    const [plain, first] = [
      await ask('/api-docs-json'),
      await ask('/api-docs-json', { headers: inBrotli }),
    ]
    assert.notEqual(first.headers.etag, plain.headers.etag)
    const headers = { ...inBrotli, 'if-none-match': first.headers.etag! }
    const again = await ask('/api-docs-json', { headers })
    assert.equal(again.status, 304)
    assert.lengthOf(again.bytes, 0)
  })

  test('a short file stays as it is', async ({ assert }) => {
    const headers = { 'accept-encoding': BROWSER }
    const answer = await ask(assetPath('mark.svg'), { headers })
    assert.isBelow(answer.bytes.length, 1_024)
    assert.isUndefined(answer.headers['content-encoding'])
  })
})

test.group('Compression | lists', () => {
  test('a list is compressed for its token: {path}')
    .with([
      { path: '/users?limit=50' },
      { path: '/api/v2/users?limit=50' },
      { path: '/audit-events' },
      { path: '/auth/activity' },
      { path: '/auth/sessions' },
    ])
    .run(async ({ client, assert }, { path }) => {
      const admin = await createAdmin()
      for (let count = 1; count <= 4; count++) {
        await signedIn(client, admin)
        await createUser()
      }
      const { headers } = await signedIn(client, admin)
      const { headers: received, bytes } = await ask(path, {
        headers: { ...headers, 'accept-encoding': BROWSER },
      })
      assert.equal(received['content-encoding'], 'br')
      assert.match(received['content-type']!, /^application\/json/)
      assert.equal(received['cache-control'], 'no-store')
      assert.isObject({ ...JSON.parse(brotliDecompressSync(bytes).toString()) })
    })

  test('a short list stays as it is', async ({ client, assert }) => {
    const { headers } = await signedIn(client, await createUser())
    const answer = await ask('/auth/sessions', { headers: { ...headers, 'accept-encoding': 'br' } })
    assert.isBelow(answer.bytes.length, 1_024)
    assert.isUndefined(answer.headers['content-encoding'])
  })
})

test.group('Compression | secrets', () => {
  const longAgent = { 'user-agent': 'x'.repeat(400), 'accept-encoding': BROWSER }

  test('an answer with a secret stays as it is: {method} {path}')
    .with([
      { method: 'POST', path: '/auth/login' },
      { method: 'GET', path: '/auth/profile' },
      { method: 'GET', path: '/auth/export' },
      { method: 'GET', path: '/sign-in' },
      { method: 'GET', path: '/forgot-password' },
      { method: 'GET', path: '/api-docs' },
    ])
    .run(async ({ client, assert }, { method, path }) => {
      const user = await createUser({ username: 'a'.repeat(100) })
      const { headers } = await signedIn(client, user)
      const body = method === 'POST' ? { email: user.email, password: PASSWORD } : undefined
      const answer = await ask(path, { method, body, headers: { ...headers, ...longAgent } })
      assert.equal(answer.status, 200)
      assert.isUndefined(answer.headers['content-encoding'])
    })

  test('only these routes compress', ({ assert }) => {
    const routes = Object.values(router.toJSON()).flat()
    const compressing = routes.filter(({ middleware }) =>
      [...middleware.all()].some((item) => 'name' in item && item.name === 'compress')
    )
    assert.sameMembers(
      compressing.map(({ pattern }) => pattern),
      [
        '/api-docs-json',
        '/api-docs/:file',
        '/assets/:file',
        '/users',
        '/api/v2/users',
        '/audit-events',
        '/auth/activity',
        '/auth/sessions',
        '/groups',
        '/groups/:id/members',
        '/webhooks/:id/deliveries',
      ],
      'a route that compresses has no token, code or form beside what a sender chose'
    )
  })
})
