import { get, type IncomingMessage } from 'node:http'
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { test } from '@japa/runner'
import { createAdmin, createUser, PASSWORD, signedIn, someEmail } from '#tests/support/fixtures'

test.group('Errors', () => {
  test('have one shape, with the id of the request', async ({ client, assert }) => {
    const response = await client.get('/nowhere').header('x-request-id', 'trace-1')
    response.assertStatus(404)
    assert.deepEqual(response.body(), {
      statusCode: 404,
      error: 'Not Found',
      message: 'Resource not found',
      code: 'E_NOT_FOUND',
      requestId: 'trace-1',
    })
  })

  test('the id of the request is sent once')
    .with([{ path: '/nowhere' }, { path: '/health/live' }])
    .run(async ({ assert }, { path }) => {
      const response = await new Promise<IncomingMessage>((resolve) => {
        get(`http://127.0.0.1:${process.env.PORT}${path}`, resolve)
      })
      response.resume()
      assert.lengthOf(response.headersDistinct['x-request-id']!, 1)
    })

  test('answers a path that cannot be decoded: {path}')
    .with([
      { path: '/%zz', status: 404 },
      { path: '/avatars/%E0%A4', status: 404 },
      { path: '/users/%zz', status: 401 },
    ])
    .run(async ({ assert }, { path, status }) => {
      const response = await fetch(`http://127.0.0.1:${process.env.PORT}${path}`)
      assert.equal(response.status, status)
      assert.containsSubset(await response.json(), { statusCode: status })
    })

  test('a client that asks gets problem details', async ({ client, assert }) => {
    const response = await client
      .post('/auth/register')
      .header('accept', 'application/problem+json')
      .json({})
    assert.match(response.header('content-type')!, /^application\/problem\+json/)
    const problem = JSON.parse(response.text())
    assert.containsSubset(problem, {
      type: 'about:blank',
      title: 'Bad Request',
      status: 400,
      detail: 'request parameter error',
      code: 'E_VALIDATION_ERROR',
    })
    assert.deepEqual(
      problem.errors.map((error: { field: string }) => error.field),
      ['email', 'username', 'password']
    )
  })

  test('answer JSON to a browser too', async ({ client, assert }) => {
    const response = await client.post('/auth/register').header('accept', 'text/html').json({})
    response.assertStatus(400)
    assert.match(response.header('content-type')!, /^application\/json/)
  })

  test('of Node itself have headers with names', async ({ assert }) => {
    const socket = connect(Number(process.env.PORT), '127.0.0.1')
    socket.end('GET /health/live HTTP/1.1\r\n\r\n')
    const answer = await text(socket)
    const [status, ...headers] = answer.split('\r\n')
    assert.equal(status, 'HTTP/1.1 400 Bad Request')
    assert.include(headers, 'Connection: close')
    assert.isFalse(headers.some((header) => /^(\d+|x-request-id):/i.test(header)))
  })

  test('name what the body of a request has to be: {body}')
    .with([{ body: '[]' }, { body: '{"email":"a@b.example","invite":"perhaps"}' }])
    .run(async ({ client, assert }, { body }) => {
      const { headers } = await signedIn(client, await createAdmin())
      const response = await client
        .post('/users')
        .headers(headers)
        .type('json')
        .json(body as never)
      const [{ message }] = response.body().errors
      assert.match(message, /^The (body must be a JSON object|invite field must be true or false)$/)
    })

  test('name the values that a field may have', async ({ client, assert }) => {
    const { headers } = await signedIn(client, await createAdmin())
    const response = await client.get('/users').headers(headers).qs({ role: 'Zorro' })
    assert.deepEqual(response.body().errors, [
      { field: 'role', rule: 'enum', message: 'The role field must be one of User, Admin' },
    ])
  })

  test('do not echo a request id out of bounds', async ({ client, assert }) => {
    const response = await client.get('/health/live').header('x-request-id', 'x'.repeat(129))
    assert.isBelow(response.header('x-request-id')!.length, 64)
  })
})

test.group('Bodies', () => {
  test('must be JSON', async ({ client, assert }) => {
    const response = await client
      .post('/auth/login')
      .form({ email: someEmail(), password: PASSWORD })
    response.assertStatus(415)
    assert.equal(response.body().code, 'E_UNSUPPORTED_MEDIA_TYPE')
  })

  test('must be well formed', async ({ client, assert }) => {
    const response = await client
      .post('/auth/login')
      .type('json')
      .json('{"email":' as never)
    response.assertStatus(400)
    assert.equal(response.body().message, 'request parameter error')
  })

  test('answer {status} to {size} bytes')
    .with([
      { size: 65_535, status: 400 },
      { size: 65_536, status: 400 },
      { size: 65_537, status: 413 },
    ])
    .run(async ({ client }, { size, status }) => {
      const frame = JSON.stringify({ email: '' }).length
      const response = await client.post('/auth/login').json({ email: 'x'.repeat(size - frame) })
      response.assertStatus(status)
    })

  test('cannot reach the prototype of an object', async ({ client, assert }) => {
    const body = `{"email":"${someEmail()}","username":"ada","password":"${PASSWORD}","__proto__":{"role":"Admin"}}`
    const response = await client
      .post('/auth/register')
      .type('json')
      .json(body as never)
    if (response.status() === 201) assert.equal(response.body().role, 'User')
    else response.assertStatus(400)
    assert.isUndefined(({} as { role?: string }).role)
  })
})

test.group('Prefixes and versions', () => {
  test('answer {path} like the canonical path')
    .with([{ path: '/api/auth/profile' }, { path: '/api/v1/auth/profile' }])
    .run(async ({ client }, { path }) => {
      const { headers } = await signedIn(client, await createUser())
      const response = await client.get(path).headers(headers)
      response.assertStatus(200)
    })

  test('take version 1 from the header', async ({ client }) => {
    const { headers } = await signedIn(client, await createUser())
    const response = await client.get('/auth/profile').headers(headers).header('x-api-version', '1')
    response.assertStatus(200)
  })
})

test.group('Client address', () => {
  test('is {ip} behind {forwarded}')
    .with([
      { forwarded: '203.0.113.7', ip: '203.0.113.7' },
      { forwarded: '203.0.113.7:5555', ip: '203.0.113.7' },
      { forwarded: '198.51.100.1, 203.0.113.8:5555, 127.0.0.9:80', ip: '203.0.113.8' },
      { forwarded: '[2001:db8::7]:443', ip: '2001:db8::7' },
      { forwarded: '[2001:db8::8]', ip: '2001:db8::8' },
      { forwarded: '2001:db8::9', ip: '2001:db8::9' },
      { forwarded: '[::ffff:203.0.113.9]:443', ip: '203.0.113.9' },
      { forwarded: 'nonsense:80', ip: '127.0.0.1' },
    ])
    .run(async ({ client, assert }, { forwarded, ip }) => {
      const { headers } = await signedIn(client, await createUser(), { address: forwarded })
      const response = await client.get('/auth/sessions').headers(headers)
      assert.equal(response.body()[0].ip, ip)
    })
})

test.group('Headers', () => {
  test('protect every answer', async ({ client, assert }) => {
    for (const path of ['/health', '/auth/profile', '/nowhere']) {
      const response = await client.get(path)
      const headers = response.headers()
      assert.containsSubset(headers, {
        'cache-control': 'no-store',
        'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
        'referrer-policy': 'no-referrer',
        'x-content-type-options': 'nosniff',
        'x-frame-options': 'DENY',
      })
      assert.notProperty(headers, 'x-powered-by')
      assert.notProperty(headers, 'server')
      assert.notProperty(headers, 'strict-transport-security')
      assert.notProperty(headers, 'set-cookie')
    }
  })
})
