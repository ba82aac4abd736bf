import { test, timeTravel } from '@japa/runner'
import type { IncomingMessage } from 'node:http'
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { setTimeout as wait } from 'node:timers/promises'
import { createSigner } from 'fast-jwt'
import server from '@adonisjs/core/services/server'
import User from '#models/user'
import db from '@adonisjs/lucid/services/db'
import env from '#start/env'
import { SYSTEM } from '#audit/actor'
import { revokeKey } from '#auth/api_keys/revoke_keys'
import {
  bearer,
  createAdmin,
  createUser,
  decodeClaims,
  decodeHeader,
  keyOf,
  PASSWORD,
  signedIn,
  someEmail,
} from '#tests/support/fixtures'

const encode = (part: object) => Buffer.from(JSON.stringify(part)).toString('base64url')

test.group('Refresh', () => {
  test('a refresh answers with an access token only', async ({ client, assert }) => {
    const { refreshToken, accessToken } = await signedIn(client, await createUser())
    const response = await client.post('/auth/refresh').json({ refreshToken })
    response.assertStatus(200)
    assert.sameMembers(Object.keys(response.body()), ['accessToken', 'expiresIn', 'tokenType'])
    assert.notEqual(response.body().accessToken, accessToken)
    const profile = await client.get('/auth/profile').headers(bearer(response.body().accessToken))
    profile.assertStatus(200)
  })

  test('a refreshed token has current role and address', async ({ client, assert }) => {
    const user = await createUser()
    const { refreshToken } = await signedIn(client, user)
    await db.from('users').where('id', user.id).update({ role: 'Admin' })
    const response = await client.post('/auth/refresh').json({ refreshToken })
    assert.equal(decodeClaims(response.body().accessToken).role, 'Admin')
  })

  test('a refresh refuses the token of a {name} user')
    .with([
      { name: 'disabled', apply: { disabled_at: 1 } },
      { name: 'deleted', apply: null },
    ])
    .run(async ({ client, assert }, { apply }) => {
      const user = await createUser()
      const { refreshToken } = await signedIn(client, user)
      const row = db.from('users').where('id', user.id)
      await (apply ? row.update(apply) : row.delete())
      const response = await client.post('/auth/refresh').json({ refreshToken })
      response.assertStatus(401)
      assert.equal(response.body().message, 'Invalid refresh token')
    })

  test('a refresh refuses an access token', async ({ client, assert }) => {
    const { accessToken } = await signedIn(client, await createUser())
    const response = await client.post('/auth/refresh').json({ refreshToken: accessToken })
    response.assertStatus(401)
    assert.equal(response.body().message, 'Invalid refresh token')
  })

  test('no refreshed token survives a concurrent logout', async ({ client, assert }) => {
    const { refreshToken, headers } = await signedIn(client, await createUser())
    const [refresh] = await Promise.all([
      client.post('/auth/refresh').json({ refreshToken }),
      client.post('/auth/logout').headers(headers),
    ])
    if (refresh.status() === 200) {
      const profile = await client.get('/auth/profile').headers(bearer(refresh.body().accessToken))
      profile.assertStatus(401)
    } else {
      assert.equal(refresh.status(), 401)
    }
  })
})

test.group('Bearer', () => {
  test('a request without token gets a challenge', async ({ client, assert }) => {
    const response = await client.get('/auth/profile')
    response.assertStatus(401)
    assert.equal(response.body().message, 'Unauthorized')
    assert.equal(response.header('www-authenticate'), 'Bearer')
  })

  test('a request refuses {name}')
    .with([
      { name: 'garbage', forge: () => 'garbage' },
      { name: 'a refresh token', forge: ({ refreshToken }: Forged) => refreshToken },
      {
        name: 'a token without a signature',
        forge: ({ accessToken }: Forged) => `${accessToken.split('.').slice(0, 2).join('.')}.`,
      },
      {
        name: 'algorithm none',
        forge: ({ accessToken }: Forged) =>
          `${encode({ ...decodeHeader(accessToken), alg: 'none' })}.${accessToken.split('.')[1]}.`,
      },
      {
        name: 'changed claims',
        forge: ({ accessToken }: Forged) => {
          const [header, , signature] = accessToken.split('.')
          return [header, encode({ ...decodeClaims(accessToken), role: 'Admin' }), signature].join(
            '.'
          )
        },
      },
      {
        name: 'the refresh secret on an access token',
        forge: ({ accessToken }: Forged) => {
          const { kid } = decodeHeader(accessToken)
          const key = env.get('JWT_REFRESH_SECRETS')[0]
          return createSigner({ key, kid, header: { alg: 'HS256', typ: 'at+jwt' } })(
            decodeClaims(accessToken)
          )
        },
      },
      {
        name: 'an expired token',
        forge: ({ accessToken }: Forged) => {
          const claims = decodeClaims(accessToken)
          const { kid } = decodeHeader(accessToken)
          const key = env.get('JWT_ACCESS_SECRETS')[0]
          const header = { alg: 'HS256', typ: 'at+jwt' } as const
          return createSigner({ key, kid, header })({ ...claims, exp: claims.iat - 1 })
        },
      },
    ])
    .run(async ({ client, assert }, { forge }) => {
      const session = await signedIn(client, await createUser())
      const response = await client.get('/auth/profile').headers(bearer(forge(session)))
      response.assertStatus(401)
      assert.equal(response.body().message, 'Unauthorized')
      assert.equal(response.header('www-authenticate'), 'Bearer error="invalid_token"')
    })

  test('a token is refused at once when the {name}')
    .with([
      { name: 'user was disabled', change: { disabled_at: 1 } },
      { name: 'user was deleted', change: null },
    ])
    .run(async ({ client }, { change }) => {
      const user = await createUser()
      const { headers } = await signedIn(client, user)
      const before = await client.get('/auth/profile').headers(headers)
      before.assertStatus(200)
      const row = db.from('users').where('id', user.id)
      await (change ? row.update(change) : row.delete())
      const after = await client.get('/auth/profile').headers(headers)
      after.assertStatus(401)
    })
})

interface Forged {
  accessToken: string
  refreshToken: string
}

test.group('Revoke', () => {
  test('a revoked token is refused from then on', async ({ client, assert }) => {
    const { headers, refreshToken } = await signedIn(client, await createUser())
    const response = await client.post('/auth/revoke').headers(headers)
    response.assertStatus(200)
    const profile = await client.get('/auth/profile').headers(headers)
    profile.assertStatus(401)
    assert.equal(profile.body().message, 'Token has been revoked')
    const refresh = await client.post('/auth/refresh').json({ refreshToken })
    refresh.assertStatus(200)
  })

  test('a user revokes another of their own tokens', async ({ client }) => {
    const user = await createUser()
    const [one, other] = [await signedIn(client, user), await signedIn(client, user)]
    await client.post('/auth/revoke').headers(one.headers).json({ token: other.accessToken })
    const revoked = await client.get('/auth/profile').headers(other.headers)
    revoked.assertStatus(401)
    const kept = await client.get('/auth/profile').headers(one.headers)
    kept.assertStatus(200)
  })

  test('only administrators revoke tokens of other users', async ({ client }) => {
    const victim = await signedIn(client, await createUser())
    const stranger = await signedIn(client, await createUser())
    const admin = await signedIn(client, await createAdmin())
    const token = victim.accessToken
    const refused = await client.post('/auth/revoke').headers(stranger.headers).json({ token })
    refused.assertStatus(403)
    const accepted = await client.post('/auth/revoke').headers(admin.headers).json({ token })
    accepted.assertStatus(200)
    const profile = await client.get('/auth/profile').headers(victim.headers)
    profile.assertStatus(401)
  })

  test('revoking a string that is no token answers 400', async ({ client, assert }) => {
    const { headers } = await signedIn(client, await createUser())
    const response = await client.post('/auth/revoke').headers(headers).json({ token: 'nonsense' })
    response.assertStatus(400)
    assert.equal(response.body().code, 'E_INVALID_TOKEN')
  })
})

/** Resolves when the token of the request was accepted: the body is read after that. */
async function bodyIsRead(request: IncomingMessage) {
  while (request.listenerCount('data') === 0) await wait(5)
}

/** Sends the first byte of a body, and the rest after `meanwhile` has resolved. */
async function holdBack(head: string[], body: string, meanwhile: () => Promise<unknown>) {
  const socket = connect(Number(process.env.PORT), '127.0.0.1')
  const lines = [...head, 'host: localhost', `content-length: ${body.length}`, 'connection: close']
  const received = Promise.withResolvers<IncomingMessage>()
  server.getNodeServer()!.once('request', received.resolve)
  socket.write(`${lines.join('\r\n')}\r\n\r\n${body[0]}`)
  await bodyIsRead(await received.promise)
  await meanwhile()
  timeTravel('1s')
  socket.write(body.slice(1))
  return text(socket)
}

test.group('Access token | a body that is held back', () => {
  test('acts no more once the token was revoked', async ({ client, assert }) => {
    const { headers } = await signedIn(client, await createAdmin())
    const email = someEmail()
    const body = JSON.stringify({ email, password: PASSWORD, role: 'Admin' })
    const head = [
      'POST /users HTTP/1.1',
      `authorization: ${headers.authorization}`,
      'content-type: application/json',
    ]
    const answer = await holdBack(head, body, () => client.post('/auth/logout').headers(headers))
    assert.match(answer, /^HTTP\/1\.1 401/)
    assert.isNull(await User.findBy('email', email))
  })

  test('asks about no token once its key was revoked', async ({ assert }) => {
    const admin = await createAdmin()
    const { id, headers } = await keyOf(admin, ['tokens:introspect'])
    const head = [
      'POST /oauth/introspect HTTP/1.1',
      `authorization: ${headers.authorization}`,
      'content-type: application/x-www-form-urlencoded',
    ]
    const revoke = () => revokeKey(admin.id, id, SYSTEM)
    assert.match(await holdBack(head, 'token=x', revoke), /^HTTP\/1\.1 401/)
  })
})
