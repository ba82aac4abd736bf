import { createServer } from 'node:http'
import { once } from 'node:events'
import { test, timeTravel } from '@japa/runner'
import db from '@adonisjs/lucid/services/db'
import outbound from '#config/outbound'
import settings from '#config/oidc'
import { SYSTEM } from '#audit/actor'
import { E_UNAVAILABLE } from '#exceptions/http_errors'
import { forgetRemoteKeys } from '#oidc/assertions/remote_keys'
import { updateClient } from '#oidc/clients/clients'
import { createAdmin, signedIn } from '#tests/support/fixtures'
import { documents, withDocuments } from '#tests/support/client_documents'
import {
  assertionOf,
  byAssertion,
  clientKey,
  strongClient,
  type ClientKey,
} from '#tests/support/strong_clients'
import { post } from './attacker.ts'
import type { Network } from '#setup/environment/networks'
import type { Group } from '@japa/runner/core'
import ipaddr from 'ipaddr.js'

const PATH = '/keys.json'

function publish(...keys: ClientKey[]) {
  return documents.serve(PATH, { keys: keys.map(({ jwk }) => jwk) })
}

async function isAuthentic(scene: Parameters<typeof assertionOf>[0]) {
  const form = { token: 'x', ...byAssertion(await assertionOf(scene)) }
  const { status } = await post('/oauth/introspect', form)
  return status === 200
}

function withoutKeys(group: Group) {
  withDocuments(group)
  group.each.setup(() => forgetRemoteKeys())
}

test.group('Key set of a client | at an address', (group) => {
  withoutKeys(group)

  test('is read once for many assertions', async ({ assert }) => {
    const key = await clientKey()
    const scene = await strongClient(key, { jwksUri: publish(key) })
    const outcomes = await Promise.all(Array.from({ length: 5 }, () => isAuthentic(scene)))
    assert.deepEqual(outcomes, Array(5).fill(true))
    assert.equal(documents.requests, 1)
  })

  test('is read again for an unknown key, once a minute', async ({ assert }) => {
    const [key, next] = [await clientKey(), await clientKey()]
    const scene = await strongClient(key, { jwksUri: publish(key) })
    await isAuthentic(scene)
    publish(key, next)
    const outcomes = [await isAuthentic({ ...scene, key: next })]
    timeTravel(settings.keySets.pauseMs - 2_000)
    outcomes.push(await isAuthentic({ ...scene, key: next }))
    timeTravel(4_000)
    outcomes.push(await isAuthentic({ ...scene, key: next }))
    for (let count = 0; count < 5; count++) await isAuthentic({ ...scene, key: await clientKey() })
    assert.deepEqual(outcomes, [false, false, true])
    assert.equal(documents.requests, 2)
  })

  test('a key that was removed is refused after ten minutes', async ({ assert }) => {
    const [key, next] = [await clientKey(), await clientKey()]
    const scene = await strongClient(key, { jwksUri: publish(key) })
    await isAuthentic(scene)
    publish(next)
    timeTravel(settings.keySets.freshMs - 2_000)
    const before = await isAuthentic(scene)
    timeTravel(4_000)
    assert.deepEqual([before, await isAuthentic(scene)], [true, false])
  })

  test('a set that cannot be read lets in for ten minutes', async ({ assert }) => {
    const key = await clientKey()
    const scene = await strongClient(key, { jwksUri: publish(key) })
    await isAuthentic(scene)
    documents.answers.delete(PATH)
    timeTravel(settings.keySets.freshMs - 2_000)
    const before = await isAuthentic(scene)
    timeTravel(4_000)
    assert.deepEqual([before, await isAuthentic(scene)], [true, false])
    publish(key)
    timeTravel(settings.keySets.failurePauseMs + 1_000)
    assert.isTrue(await isAuthentic(scene))
  })

  test('{what} is no set of public keys')
    .with([
      { what: 'a private key', keys: [{ kty: 'EC', crv: 'P-256', x: 'x', y: 'y', d: 'd' }] },
      { what: 'a symmetric key', keys: [{ kty: 'oct', k: 'c2VjcmV0' }] },
      { what: 'a text', keys: 'x' },
      { what: 'nothing', keys: undefined },
    ])
    .run(async ({ assert }, { keys }) => {
      const key = await clientKey()
      const shown = Array.isArray(keys) ? [...keys, key.jwk] : keys
      const jwksUri = documents.serve(PATH, { keys: shown })
      assert.isFalse(await isAuthentic(await strongClient(key, { jwksUri })))
    })
})

test.group('Key set of a client | replaced while it is read', (group) => {
  withoutKeys(group)

  const unnamed = ({ jwk }: ClientKey) => ({ ...jwk, kid: undefined })

  test('{path} takes no key of the earlier address')
    .with([{ path: '/oauth/introspect' }, { path: '/oauth/revoke' }])
    .run(async ({ assert }, { path }) => {
      const [first, second, next] = [await clientKey(), await clientKey(), await clientKey()]
      const jwksUri = documents.serve(PATH, { keys: [unnamed(first), unnamed(second)] })
      const scene = await strongClient(second, { jwksUri })
      const changes = { jwks: { keys: [{ ...next.jwk }] }, jwksUri: null }
      const answer = documents.answers.get(PATH)!
      documents.answers.set(PATH, (request, response) => {
        const changed = updateClient(scene.client.id, changes, SYSTEM)
        void changed.finally(() => answer(request, response))
      })
      const statusBy = async (key: ClientKey) => {
        const assertion = await assertionOf({ ...scene, key }, {}, { kid: undefined })
        const { status } = await post(path, { token: 'x', ...byAssertion(assertion) })
        return status
      }
      assert.equal(await statusBy(second), 401)
      assert.equal(await statusBy(next), 200)
    })

  test('{path} answers 503 where the database fails meanwhile')
    .with([{ path: '/oauth/introspect' }, { path: '/oauth/revoke' }])
    .run(async ({ assert, cleanup }, { path }) => {
      const key = await clientKey()
      const scene = await strongClient(key, { jwksUri: publish(key) })
      const answer = documents.answers.get(PATH)!
      const { from } = db
      cleanup(() => void (db.from = from))
      documents.answers.set(PATH, (request, response) => {
        db.from = (...given) => {
          if (given[0] === 'oauth_clients') throw new E_UNAVAILABLE()
          return from.apply(db, given)
        }
        answer(request, response)
      })
      const { status } = await post(path, { token: 'x', ...byAssertion(await assertionOf(scene)) })
      assert.equal(status, 503)
    })
})

const register = { name: 'Bank', redirectUris: ['https://bank.example.org/cb'] }

/** Returns the outcome of a registration with this address. */
async function statusOf(client: any, jwksUri: string) {
  const { headers } = await signedIn(client, await createAdmin())
  const given = { ...register, tokenEndpointAuthMethod: 'private_key_jwt', jwksUri }
  const response = await client.post('/oauth-clients').headers(headers).json(given)
  return response.status() === 400 ? response.body().errors[0].field : response.status()
}

function allow(...networks: string[]) {
  outbound.networks = networks.map((network) => ipaddr.parseCIDR(network) as Network)
}

function withNetworks(group: Group) {
  group.each.setup(() => {
    const before = { ...outbound }
    return () => void Object.assign(outbound, before)
  })
}

test.group('Key set of a client | registered address', (group) => {
  withNetworks(group)

  test('{uri} is {outcome} without a network that is allowed')
    .with([
      { uri: 'https://keys.example.org/jwks', outcome: 201 },
      { uri: 'http://keys.example.org/jwks', outcome: 'jwksUri' },
      { uri: 'https://10.0.0.7/jwks', outcome: 'jwksUri' },
      { uri: 'https://localhost/jwks', outcome: 'jwksUri' },
      { uri: 'https://[fd00::7]/jwks', outcome: 'jwksUri' },
      { uri: 'https://169.254.169.254/latest', outcome: 'jwksUri' },
      { uri: 'file:///etc/passwd', outcome: 'jwksUri' },
    ])
    .run(async ({ client, assert }, { uri, outcome }) => {
      assert.equal(await statusOf(client, uri), outcome)
    })

  test('{uri} is {outcome} within 10.0.0.0/8')
    .with([
      { uri: 'http://10.0.0.7/jwks', outcome: 201 },
      { uri: 'https://10.255.255.255/jwks', outcome: 201 },
      { uri: 'https://11.0.0.1/jwks', outcome: 201 },
      { uri: 'http://11.0.0.1/jwks', outcome: 'jwksUri' },
      { uri: 'https://192.168.0.1/jwks', outcome: 'jwksUri' },
      { uri: 'http://keys.internal/jwks', outcome: 201 },
    ])
    .run(async ({ client, assert }, { uri, outcome }) => {
      allow('10.0.0.0/8')
      assert.equal(await statusOf(client, uri), outcome)
    })

  test('our own address is refused always', async ({ client, assert }) => {
    allow('127.0.0.0/8', '::1/128')
    const { PORT } = process.env
    outbound.own = { ...outbound.own, port: Number(PORT) }
    const own = [settings.issuer, `http://127.0.0.1:${PORT}`, `http://127.9.9.9:${PORT}`]
    for (const base of [...own, `http://[::1]:${PORT}`, `http://localhost:${PORT}`]) {
      assert.equal(await statusOf(client, `${base}/.well-known/jwks.json`), 'jwksUri', base)
    }
  })
})

test.group('Key set of a client | networks', (group) => {
  withoutKeys(group)
  withNetworks(group)

  test('http within an allowed network is read, and not outside', async ({ assert, cleanup }) => {
    const key = await clientKey()
    const server = createServer((_request, response) => {
      response.setHeader('content-type', 'application/json')
      response.end(JSON.stringify({ keys: [key.jwk] }))
    }).listen(0, '127.0.0.1')
    await once(server, 'listening')
    cleanup(() => void server.close())
    const { port } = server.address() as { port: number }
    allow('127.0.0.0/8')
    const scene = await strongClient(key, { jwksUri: `http://keys.internal:${port}/` })
    const within = await isAuthentic(scene)
    forgetRemoteKeys()
    allow('10.0.0.0/8')
    assert.deepEqual([within, await isAuthentic(scene)], [true, false])
  })
})
