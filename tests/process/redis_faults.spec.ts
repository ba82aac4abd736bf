import { test } from '@japa/runner'
import * as oidc from 'openid-client'
import { Redis } from '#tests/servers/redis'
import { PASSWORD } from '#tests/support/fixtures'
import {
  Backend,
  newcomer,
  profileAnswers,
  patientProfileStatus,
  signIn,
  timedProfile,
} from './backend.ts'
import { SCHEDULING_MS } from '#tests/support/waiting'
import { ADMIN, codeOf, errorOf, register, useProxy, WITH_ADMIN } from './application.ts'
import { TestBrowser } from '../functional/external/browser.ts'
import { Product } from './product.ts'

/** The longest time until an answer while Redis is unavailable, and until service resumes. */
const ANSWER_MS = 1_000 + SCHEDULING_MS
const RECOVERY_MS = 2_000 + SCHEDULING_MS

const OFFLINE = { scope: 'openid offline_access', prompt: 'consent' }

test.group('Redis | outages', (group) => {
  let backend: Backend
  let product: Product
  group.setup(async () => {
    backend = await Backend.withRedis()
    product = await Product.start(backend.settings)
  })
  group.teardown(async () => {
    await product.remove()
    await backend.remove()
  })

  test('answers 503 while Redis is frozen, then recovers', async ({ assert }) => {
    const { token } = await newcomer(product)
    backend.redis!.signal('SIGSTOP')
    const answers = await Promise.all([1, 2, 3].map(() => timedProfile(product, token)))
    const health = await product.request('/health/redis')
    backend.redis!.signal('SIGCONT')
    for (const { status, retryAfter, tookMs } of answers) {
      assert.equal(status, 503)
      assert.isAtLeast(retryAfter, 1)
      assert.isBelow(tookMs, ANSWER_MS)
    }
    assert.equal(health.status, 503)
    assert.isBelow(await profileAnswers(product, token, 200), RECOVERY_MS)
  })

  test('answers 503 while Redis is gone, then recovers', async ({ assert }) => {
    const user = await newcomer(product)
    await backend.redis!.stop('SIGKILL')
    const { status, retryAfter, tookMs } = await timedProfile(product, user.token)
    const login = await product.request('/auth/login', { body: { ...user } })
    const refresh = await product.request('/auth/refresh', {
      body: { refreshToken: user.refreshToken },
    })
    await backend.redis!.resume()
    assert.deepEqual([status, login.status, refresh.status], [503, 503, 503])
    assert.isAtLeast(retryAfter, 1)
    assert.isBelow(tookMs, ANSWER_MS)
    assert.isBelow(await profileAnswers(product, user.token, 401), RECOVERY_MS)
    const { token } = await signIn(product, user)
    assert.equal(await patientProfileStatus(product, token), 200)
  })

  test('refuses tokens that Redis has lost', async ({ assert }) => {
    const user = await newcomer(product)
    await backend.redis!.command('FLUSHALL')
    assert.equal(await patientProfileStatus(product, user.token), 401)
    const { refreshToken } = user
    const { status } = await product.ask('/auth/refresh', { body: { refreshToken } })
    assert.equal(status, 401)
  })

  test('keeps a lock after Redis has lost its data', async ({ assert }) => {
    const { email } = await newcomer(product)
    for (let count = 1; count <= 5; count++) {
      await product.ask('/auth/login', { body: { email, password: 'Wrong-h0rse!' } })
    }
    await backend.redis!.command('FLUSHALL')
    const { status } = await product.ask('/auth/login', { body: { email, password: PASSWORD } })
    assert.equal(status, 403)
  })

  test('ends sessions while the memory of Redis is full', async ({ assert }) => {
    const [user, other] = [await newcomer(product), await newcomer(product)]
    await backend.redis!.command('CONFIG', 'SET', 'maxmemory', '1')
    const login = await product.request('/auth/login', { body: { ...user } })
    const profile = await timedProfile(product, user.token)
    const revoked = await product.ask('/auth/revoke', { method: 'POST', token: other.token })
    const logout = await product.ask('/auth/logout-all', { method: 'POST', token: user.token })
    const after = [
      await patientProfileStatus(product, user.token),
      await patientProfileStatus(product, other.token),
    ]
    await backend.redis!.command('CONFIG', 'SET', 'maxmemory', '0')
    assert.deepEqual([login.status, profile.status], [503, 200])
    assert.deepEqual([revoked.status, logout.status], [200, 200])
    assert.deepEqual(after, [401, 401])
    const { token } = await signIn(product, user)
    assert.equal(await patientProfileStatus(product, token), 200)
  })

  test('reports a policy that evicts as degraded', async ({ assert }) => {
    const status = async () => {
      const { body } = await product.request('/health')
      return body.status
    }
    await backend.redis!.command('CONFIG', 'SET', 'maxmemory', '100mb')
    await backend.redis!.command('CONFIG', 'SET', 'maxmemory-policy', 'allkeys-lru')
    while ((await status()) !== 'degraded');
    await backend.redis!.command('CONFIG', 'SET', 'maxmemory-policy', 'noeviction')
    while ((await status()) !== 'ok');
    const ready = await product.request('/health/ready')
    assert.equal(ready.status, 200)
  })

  test('refuses a session whose index was evicted', async ({ assert }) => {
    const user = await newcomer(product)
    await backend.redis!.command('DEL', `gatehouse:{${user.id}}:sessions`)
    const { token } = await signIn(product, user)
    const changed = { currentPassword: PASSWORD, newPassword: 'An0ther-horse!' }
    await product.ask('/auth/change-password', { token, body: changed })
    assert.equal(await patientProfileStatus(product, user.token), 401)
    assert.equal(await patientProfileStatus(product, token), 200)
  })
})

test.group('Redis | start', () => {
  test('starts without Redis and serves once it answers', async ({ assert }) => {
    const backend = await Backend.withRedis()
    await backend.redis!.stop('SIGKILL')
    const product = await Product.start(backend.settings)
    try {
      const ready = await product.request('/health/ready')
      assert.equal(ready.status, 503)
      await backend.redis!.resume()
      await product.answers('/health/ready', RECOVERY_MS)
      const { token } = await newcomer(product)
      assert.equal(await patientProfileStatus(product, token), 200)
    } finally {
      await product.remove()
      await backend.remove()
    }
  })

  test('stops with exit code 0 while Redis is gone', async ({ assert }) => {
    const backend = await Backend.withRedis()
    const product = await Product.start(backend.settings)
    await backend.redis!.stop('SIGKILL')
    assert.equal(await product.stop(), 0)
    await product.remove()
    await backend.remove()
  })
})

test.group('Redis | another server', () => {
  test('ends what a change of password ended elsewhere', async ({ assert }) => {
    const backend = await Backend.withRedis()
    const other = await Redis.start()
    let product = await Product.start(backend.settings)
    const startWith = async (url: string) => {
      assert.equal(await product.stop(), 0)
      product = await Product.start({ ...backend.settings, REDIS_URL: url }, product.dataDir)
    }
    try {
      const user = await newcomer(product)
      await startWith(other.url)
      const { token } = await signIn(product, user)
      await product.ask('/auth/change-password', {
        token,
        body: { currentPassword: PASSWORD, newPassword: 'An0ther-horse!' },
      })
      await startWith(backend.redis!.url)
      assert.equal(await patientProfileStatus(product, user.token), 401)
    } finally {
      await product.remove()
      await other.remove()
      await backend.remove()
    }
  })
})

test.group('Redis | older data', () => {
  test('ends again the sessions that a snapshot restored', async ({ assert }) => {
    const backend = await Backend.withRedis(['--dbfilename', 'old.rdb'])
    const product = await Product.start(backend.settings)
    const { redis } = backend
    try {
      const [ended, revoked, changed] = [
        await newcomer(product),
        await newcomer(product),
        await newcomer(product),
      ]
      const kept = await signIn(product, changed)
      for (const { token } of [ended, revoked, changed, kept]) await timedProfile(product, token)
      await redis!.command('SAVE')
      await product.ask('/auth/logout', { method: 'POST', token: ended.token })
      await product.ask('/auth/revoke', { method: 'POST', token: revoked.token })
      await product.ask('/auth/change-password', {
        token: kept.token,
        body: { currentPassword: PASSWORD, newPassword: 'An0ther-horse!' },
      })
      await redis!.stop('SIGKILL')
      await redis!.resume()
      await profileAnswers(product, kept.token, 200)
      const statuses = []
      for (const { token } of [ended, revoked, changed]) {
        statuses.push(await patientProfileStatus(product, token))
      }
      assert.deepEqual(statuses, [401, 401, 401])
      const { refreshToken } = ended
      const refresh = await product.ask('/auth/refresh', { body: { refreshToken } })
      assert.equal(refresh.status, 401)
    } finally {
      await product.remove()
      await backend.remove()
    }
  })

  test('ends application sessions again that a snapshot restored', async ({ assert }) => {
    const backend = await Backend.withRedis(['--dbfilename', 'old.rdb'])
    const product = await Product.start({ ...backend.settings, ...WITH_ADMIN })
    const restore = useProxy(() => product.url)
    const { redis } = backend
    try {
      const { token } = await signIn(product, ADMIN)
      const app = await register(product, token)
      const [ended, kept] = [await newcomer(product), await newcomer(product)]
      const grant = async (user: { email: string }) => {
        const { answer, checks } = await codeOf(app, user, OFFLINE)
        return oidc.authorizationCodeGrant(app.config, answer.url, checks)
      }
      const tokens = [await grant(ended), await grant(kept)]
      const use = ({ access_token: accessToken }: oidc.TokenEndpointResponse) =>
        errorOf(oidc.fetchUserInfo(app.config, accessToken, oidc.skipSubjectCheck))
      const refresh = ({ refresh_token: refreshToken }: oidc.TokenEndpointResponse) =>
        errorOf(oidc.refreshTokenGrant(app.config, refreshToken!))
      assert.deepEqual(await Promise.all(tokens.map(use)), ['good', 'good'])
      await redis!.command('SAVE')
      const path = `/auth/sessions/${tokens[0].claims()!.sid}`
      const end = await product.request(path, { method: 'DELETE', token: ended.token })
      assert.equal(end.status, 200)
      await redis!.stop('SIGKILL')
      await redis!.resume()
      await profileAnswers(product, kept.token, 200)
      assert.deepEqual(await Promise.all(tokens.map(use)), ['invalid_token', 'good'])
      assert.deepEqual(await Promise.all(tokens.map(refresh)), ['invalid_grant', 'good'])
    } finally {
      restore()
      await product.remove()
      await backend.remove()
    }
  })

  test('ends console sessions again that a snapshot restored', async ({ assert }) => {
    const backend = await Backend.withRedis(['--dbfilename', 'old.rdb'])
    const admin = { ADMIN_EMAIL: 'ada@example.org', ADMIN_PASSWORD: PASSWORD }
    const product = await Product.start({ ...backend.settings, ...admin })
    const { redis } = backend
    try {
      const browser = await signInToConsole(product, admin.ADMIN_EMAIL)
      const thief = browser.copy()
      const kept = await signInToConsole(product, admin.ADMIN_EMAIL)
      const before = await thief.request(`${product.url}/admin`)
      await redis!.command('SAVE')
      const signOut = await submit(browser, `${product.url}/admin`, '/sign-out')
      await redis!.stop('SIGKILL')
      await redis!.resume()
      await product.answers('/health/ready', RECOVERY_MS)
      const ended = await thief.request(`${product.url}/admin`)
      const alive = await kept.request(`${product.url}/admin`)
      const statuses = [before, signOut, ended, alive].map(({ status }) => status)
      assert.deepEqual(statuses, [200, 303, 302, 200])
    } finally {
      await product.remove()
      await backend.remove()
    }
  })
})

async function signInToConsole(product: Product, email: string) {
  const browser = new TestBrowser()
  await submit(browser, `${product.url}/sign-in`, '/sign-in', {
    email,
    password: PASSWORD,
  })
  return browser
}

/** Sends a form of a page with the CSRF token of the page. */
async function submit(browser: TestBrowser, page: string, action: string, fields: object = {}) {
  const shown = await browser.request(page)
  const html = await shown.text()
  const [, csrf] = /name=['"]_csrf['"] value=['"]([^'"]+)/.exec(html)!
  const body = new URLSearchParams({ _csrf: csrf, ...fields })
  return browser.request(new URL(action, page).href, { method: 'POST', body })
}
