import { spawnSync } from 'node:child_process'
import { test } from '@japa/runner'
import * as oidc from 'openid-client'
import { SYSTEM } from '#audit/actor'
import { endSessionAs } from '#auth/sessions/end_session'
import { changeRole } from '#users/change_role'
import { lockUser } from '#users/lock_user'
import { readFamilies, readMetrics } from '#health/metrics/registry'
import { routePattern } from '#http/route_pattern'
import { count } from '#telemetry/counters'
import { countRequest } from '#telemetry/requests'
import { findOrInstall } from '#tests/support/debian'
import { createUser, knownDevice, login, signedIn } from '#tests/support/fixtures'
import { growthOf, metric } from '#tests/support/metrics'
import { application, browserOf, tokensOf } from '#tests/support/oidc'

const WRONG = 'Wrong-h0rse!'

/** The most time series of one process, whatever clients send. */
const MAX_SERIES = 2_000

test.group('Metrics', () => {
  test('are text that Prometheus reads', async ({ assert }) => {
    const { contentType, text } = await readMetrics()
    assert.match(contentType, /^text\/plain/)
    assert.match(text, /^# HELP gatehouse_password_hashes/m)
    assert.match(text, /^gatehouse_build_info\{version="\d+\.\d+\.\d+"\} 1$/m)
    assert.match(text, /^process_resident_memory_bytes \d+/m)
  })

  test('promtool has nothing to say of them', async ({ assert }) => {
    const promtool = findOrInstall('promtool', 'prometheus')
    const { text } = await readMetrics()
    const checked = spawnSync(promtool, ['check', 'metrics'], { input: text, encoding: 'utf8' })
    assert.equal(checked.stdout + checked.stderr, '')
    assert.equal(checked.status, 0)
  })

  test('need a token behind a trusted proxy', async ({ client }) => {
    const response = await client.get('/metrics')
    response.assertStatus(401)
  })

  test('are not for what a proxy forwards', async ({ client }) => {
    const response = await client.get('/metrics').header('x-forwarded-for', '127.0.0.1')
    response.assertStatus(401)
  })
})

test.group('Metrics | sign-ins', () => {
  const logins = (outcome: string) =>
    `gatehouse_logins_total{method="password",outcome="${outcome}"}`

  test('a right password counts as a success', async ({ client, assert }) => {
    const { email } = await createUser()
    assert.equal(await growthOf(logins('success'), () => login(client, { email })), 1)
  })

  test('a wrong password counts as wrong credentials', async ({ client, assert }) => {
    const { email } = await createUser()
    const fail = () => login(client, { email, password: WRONG })
    assert.equal(await growthOf(logins('wrong_credentials'), fail), 1)
  })

  test('the failure that locks counts as locked, and a lock', async ({ client, assert }) => {
    const { email } = await createUser()
    const fail = () => login(client, { email, password: WRONG })
    for (let number = 1; number < 5; number++) await fail()
    const locks = 'gatehouse_locks_total{kind="failures"}'
    const growth = await growthOf(locks, async () => {
      assert.equal(await growthOf(logins('locked'), fail), 1)
    })
    assert.equal(growth, 1)
  })

  test('a lock by an administrator has its own kind', async ({ assert }) => {
    const { id } = await createUser()
    const lock = () => lockUser(id, Date.now() + 60_000, SYSTEM)
    assert.equal(await growthOf('gatehouse_locks_total{kind="administrator"}', lock), 1)
  })

  test('the lock of a known device has its own kind', async ({ client, assert }) => {
    const { email } = await createUser()
    const attempt = { email, password: WRONG, ...(await knownDevice(client, { email })) }
    const fail = async () => {
      for (let number = 1; number <= 5; number++) await login(client, attempt)
    }
    assert.equal(await growthOf('gatehouse_locks_total{kind="device"}', fail), 1)
  })

  test('a refresh counts by its outcome', async ({ client, assert }) => {
    const { refreshToken } = await signedIn(client, await createUser())
    const refresh = (token: string) => () =>
      client.post('/auth/refresh').json({ refreshToken: token })
    const refreshes = (outcome: string) => `gatehouse_refreshes_total{outcome="${outcome}"}`
    assert.equal(await growthOf(refreshes('success'), refresh(refreshToken)), 1)
    assert.equal(await growthOf(refreshes('invalid'), refresh('planted')), 1)
  })
})

test.group('Metrics | ended sessions', () => {
  const ended = (reason: string) => `gatehouse_sessions_ended_total{reason="${reason}"}`

  test('a sign-out counts', async ({ client, assert }) => {
    const user = await createUser()
    const { sessionId } = await signedIn(client, user)
    const signOut = () => endSessionAs(user.id, sessionId, SYSTEM)
    assert.equal(await growthOf(ended('signed_out'), signOut), 1)
  })

  test('each session that another role ends counts', async ({ client, assert }) => {
    const user = await createUser()
    await signedIn(client, user, { deviceId: 'phone' })
    await signedIn(client, user, { deviceId: 'laptop' })
    const change = () => changeRole(user.id, 'Admin', SYSTEM)
    assert.equal(await growthOf(ended('role_changed'), change), 2)
  })

  test('a second sign-in on a device replaces its session', async ({ client, assert }) => {
    const user = await createUser()
    await signedIn(client, user, { deviceId: 'phone' })
    const again = () => signedIn(client, user, { deviceId: 'phone' })
    assert.equal(await growthOf(ended('replaced'), again), 1)
  })
})

test.group('Metrics | applications', () => {
  const tokens = (grant: string, outcome: string) =>
    `gatehouse_oauth_tokens_total{grant="${grant}",outcome="${outcome}"}`

  test('a code that becomes tokens counts as a success', async ({ assert }) => {
    const app = await application({ kind: 'first_party' })
    const browser = await browserOf(await createUser())
    const series = tokens('authorization_code', 'success')
    assert.equal(await growthOf(series, () => tokensOf(app, browser)), 1)
  })

  test('a wrong secret counts as an invalid client', async ({ assert }) => {
    const { config, client } = await application()
    const wrong = oidc.ClientSecretBasic('planted-secret')
    const unknown = new oidc.Configuration(config.serverMetadata(), client.clientId, {}, wrong)
    unknown[oidc.customFetch] = config[oidc.customFetch]!
    oidc.allowInsecureRequests(unknown)
    const ask = () => oidc.refreshTokenGrant(unknown, 'planted').catch(() => {})
    assert.equal(await growthOf(tokens('refresh_token', 'invalid_client'), ask), 1)
  })

  test('the outcome is the error that is answered', async ({ assert }) => {
    const { config } = await application({ grantTypes: ['authorization_code'] })
    const ask = () => oidc.clientCredentialsGrant(config).catch(() => {})
    assert.equal(await growthOf(tokens('client_credentials', 'unauthorized_client'), ask), 1)
  })
})

test.group('Metrics | bounds', () => {
  test('a value that no set has counts as other', async ({ assert }) => {
    const labels = { kind: 'ada@example.org' }
    const growth = await growthOf('gatehouse_locks_total{kind="other"}', async () => {
      count('gatehouse_locks_total', labels)
    })
    assert.equal(growth, 1)
  })

  test('a path without a route has no pattern', ({ assert }) => {
    assert.equal(routePattern('GET', '/users/0199f3a2?token=planted'), '/users/:id')
    assert.equal(routePattern('GET', '/auth/profile'), '/auth/profile')
    assert.equal(routePattern('POST', '/oauth/token'), '/oauth/token')
    assert.isNull(routePattern('GET', '/planted/ada@example.org'))
    assert.isNull(routePattern('PLANTED', '/auth/profile'))
  })

  test('requests fill at most their share of the series', async ({ assert }) => {
    for (let number = 0; number < 3_000; number++) {
      countRequest({ method: 'GET', status: 200, route: `/planted/${number}`, ms: 1 })
    }
    const { text } = await readMetrics()
    const series = text.split('\n').filter((line) => line && !line.startsWith('#'))
    assert.isAtMost(series.length, MAX_SERIES)
    const other = { method: 'PLANTED', status: 404, route: null, ms: 1 }
    const total = 'gatehouse_http_requests_total{method="OTHER",class="4xx",route="other"}'
    assert.equal(await growthOf(total, async () => countRequest(other)), 1)
    assert.isNotNull(await metric('gatehouse_http_request_duration_seconds_count{method="GET"}'))
  })

  test('every family is named once', async ({ assert }) => {
    const families = await readFamilies()
    const names = families.map(({ name }) => name)
    assert.lengthOf(new Set(names), names.length)
  })
})
