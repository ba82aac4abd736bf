import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { test } from '@japa/runner'
import { freePort } from '#tests/support/free_port'
import { Browser } from '#tests/support/oidc'
import { PASSWORD, someEmail } from '#tests/support/users'
import { until } from '#tests/support/waiting'
import { TcpProxy } from '#tests/servers/tcp_proxy'
import { ace } from './ace.ts'
import { ADMIN, SIGN_IN, WITH_ADMIN } from './application.ts'
import { Backend } from './backend.ts'
import { MovedClock } from './moved_clock.ts'
import { newDataDir, Product } from './product.ts'

/* How ten faults appear to an operator: in metrics, in the log or with `doctor`. */

const DAY_MS = 86_400_000

const BY_PASSWORD = 'method="password",outcome="success"'

function register(product: Product, email = someEmail()) {
  return product.request('/auth/register', { body: { email, username: 'Ada', password: PASSWORD } })
}

async function adminToken(product: Product) {
  const { body } = await product.ask('/auth/login', { body: ADMIN })
  return body.accessToken as string
}

const TOKEN = { METRICS_TOKEN: 'a-token-of-the-scraper' }

async function metric(product: Product, series: string) {
  const headers = { authorization: `Bearer ${TOKEN.METRICS_TOKEN}` }
  const response = await fetch(`${product.url}/metrics`, { headers })
  const text = await response.text()
  const line = text.split('\n').find((each) => each.startsWith(`${series} `))
  return line ? Number(line.slice(series.length + 1)) : null
}

/** Returns what the console tells an administrator about its checks. */
async function systemPage({ url }: Product) {
  const browser = new Browser(url)
  const form = await browser.open(`${url}/admin/system`)
  const { html } = await browser.submit(form, SIGN_IN, ADMIN)
  return html
}

async function doctor(dataDir: string, settings: Record<string, string> = {}) {
  const { stdout } = await ace(dataDir, ['doctor', '--json'], { settings })
  const checks: { subject: string; state: string; finding: string }[] = JSON.parse(stdout)
  return (subject: string) => checks.find((check) => check.subject === subject)!
}

test.group('Staged faults', (group) => {
  let product: Product
  group.each.teardown(() => product.remove())

  async function start(settings: Record<string, string> = {}, dataDir?: string) {
    product = await Product.start({ ...TOKEN, REGISTER_IP_LIMIT: '0', ...settings }, dataDir)
  }

  test('mail refused: metrics, log and doctor say so', async ({ assert }) => {
    const settings = { SMTP_HOST: '127.0.0.1', SMTP_PORT: String(await freePort()) }
    await start(settings)
    await register(product)
    await until(async () => (await metric(product, 'gatehouse_mail_refused')) === 1)
    assert.isAtLeast((await metric(product, 'gatehouse_mails_total{outcome="deferred"}'))!, 1)
    await until(() => product.hasLogged('a mail was not delivered'))
    const check = await doctor(product.dataDir, settings)
    assert.containSubset(check('mail'), { state: 'fault' })
  })

  test('disk full: the log names the disk', async ({ assert }) => {
    await start()
    product.limitFiles(1)
    const { status } = await register(product)
    product.limitFiles(null)
    assert.equal(status, 503)
    await until(() => /"reason":"[^"]*(free space of DATA_DIR|disk)/.test(product.output.join('')))
  })

  test('clock wrong: doctor says by how much', async ({ assert }) => {
    const clock = new MovedClock()
    clock.move(3_600_000)
    await start(clock.settings)
    await register(product)
    await product.stop()
    clock.remove()
    const check = await doctor(product.dataDir)
    assert.equal(check('clock').state, 'fault')
    assert.match(check('clock').finding, /^3[56]\d\d s behind the newest event of the audit log$/)
    await start({}, product.dataDir)
    await register(product)
    await product.stop()
    const later = await doctor(product.dataDir)
    assert.equal(later('clock').state, 'fault')
  })

  test('a flood of failures: metrics count it', async ({ assert }) => {
    await start({ LOGIN_THROTTLE_LIMIT: '0', LOGIN_IP_LIMIT: '0' })
    const email = someEmail()
    await register(product, email)
    const body = { email, password: 'Wrong-h0rse!' }
    for (let number = 1; number <= 7; number++) await product.request('/auth/login', { body })
    const logins = (outcome: string) =>
      metric(product, `gatehouse_logins_total{method="password",outcome="${outcome}"}`)
    assert.deepEqual([await logins('wrong_credentials'), await logins('locked')], [4, 3])
    assert.equal(await metric(product, 'gatehouse_locks_total{kind="failures"}'), 1)
    for (let number = 1; number <= 20; number++) {
      await product.ask('/auth/login', { body: { ...body, email: someEmail() } })
    }
    await until(async () => (await doctor(product.dataDir))('sign-ins').state === 'warning')
  })

  test('an application with a wrong secret: log and metrics', async ({ assert }) => {
    await start(WITH_ADMIN)
    const token = await adminToken(product)
    const body = { name: 'Grafana', redirectUris: ['https://app.example.org/callback'] }
    const created = await product.ask('/oauth-clients', { body, token })
    await fetch(`${product.url}/oauth/token`, {
      method: 'POST',
      headers: { authorization: `Basic ${btoa(`${created.body.clientId}:wrong`)}` },
      body: new URLSearchParams({ grant_type: 'refresh_token', refresh_token: 'none' }),
    })
    const refused = 'gatehouse_oauth_tokens_total{grant="refresh_token",outcome="invalid_client"}'
    assert.equal(await metric(product, refused), 1)
    await until(() => product.hasLogged('an application was refused'))
    assert.isTrue(product.hasLogged(created.body.clientId))
  })

  test('keys that expire: doctor names them', async ({ assert }) => {
    await start({ ...WITH_ADMIN, ACCESS_TOKEN_ALGORITHM: 'ES256' })
    const token = await adminToken(product)
    const body = { name: 'Nightly report', scopes: ['profile:read'], currentPassword: PASSWORD }
    const created = await product.ask('/auth/api-keys', { body, token })
    assert.equal(created.status, 201)
    const clock = new MovedClock()
    const settings = { ...clock.settings, ACCESS_TOKEN_ALGORITHM: 'ES256' }
    clock.move(85 * DAY_MS)
    const later = await doctor(product.dataDir, settings)
    clock.move(282 * DAY_MS)
    const muchLater = await doctor(product.dataDir, settings)
    clock.remove()
    assert.match(later('API keys').finding, /^“Nightly report” expires on \d{4}-\d\d-\d\d$/)
    assert.match(muchLater('signing keys').finding, /36\d days old/)
    const age = 'gatehouse_signing_key_age_seconds{purpose="access"}'
    assert.isNotNull(await metric(product, age))
  })

  test('an unsealed event: metrics, log and doctor', async ({ assert }) => {
    await start()
    const database = new Sqlite(join(product.dataDir, 'gatehouse.sqlite'))
    database
      .prepare(
        `INSERT INTO audit_events (id, occurred_at, action, outcome, actor, details, mac)
         VALUES ('00000000-0000-7000-8000-000000000000', ?, 'account.updated', 'success', 'system', '{}', ?)`
      )
      .run(Date.now() - 60_000, 'x'.repeat(43))
    database.close()
    assert.isAtLeast((await metric(product, 'gatehouse_unsealed_events'))!, 1)
    const age = await metric(product, 'gatehouse_oldest_unsealed_event_age_seconds')
    assert.isAtLeast(age!, 60)
    await register(product)
    await until(() => product.hasLogged('audit events are forged and were not sealed'))
    const check = await doctor(product.dataDir)
    assert.equal(check('audit log').state, 'fault')
    assert.match(check('audit log').finding, /^the oldest event without a seal waits for \d+ s$/)
  })

  test('a migration missing: the start ends with a sentence', async ({ assert }) => {
    product = await Product.spawn({ AUTO_MIGRATE: 'false' }, newDataDir())
    assert.equal(await product.exits(), 1)
    assert.isTrue(product.hasLogged('run migration:run'))
    const check = await doctor(product.dataDir)
    assert.match(check('migrations').finding, /migrations are pending/)
  })

  test('a proxy that is not trusted: log and console name the setting', async ({ assert }) => {
    await start({ ADMIN_EMAIL: ADMIN.email, ADMIN_PASSWORD: ADMIN.password })
    const headers = { 'x-forwarded-for': '203.0.113.9' }
    for (let number = 1; number <= 2; number++) await product.request('/health/live', { headers })
    await until(() => product.hasLogged('TRUSTED_PROXIES'))
    assert.lengthOf(product.output.join('').match(/TRUSTED_PROXIES/g)!, 1)
    assert.isFalse(product.hasLogged('203.0.113.9'))
    assert.include(await systemPage(product), 'TRUSTED_PROXIES does not name its proxy')
  })
})

test.group('Staged faults | Redis', (group) => {
  let backend: Backend
  let proxy: TcpProxy
  let product: Product
  group.setup(async () => {
    backend = await Backend.withRedis()
    proxy = await TcpProxy.start(backend.redis!.port)
  })
  group.teardown(async () => {
    await product.remove()
    proxy.close()
    await backend.remove()
  })

  test('slow: metrics tell which operation, and doctor how slow', async ({ assert }) => {
    const REDIS_URL = `redis://127.0.0.1:${proxy.port}`
    const settings = { ...backend.settings, REDIS_URL }
    product = await Product.start({ ...TOKEN, ...settings })
    const email = someEmail()
    await register(product, email)
    proxy.delayMs = 120
    await product.request('/auth/login', { body: { email, password: PASSWORD } })
    const sum = 'gatehouse_store_operation_duration_seconds_sum{operation="reserveAttempt"}'
    assert.isAtLeast((await metric(product, sum))!, 0.1)
    const check = await doctor(product.dataDir, settings)
    assert.containSubset(check('store'), { state: 'warning' })
    assert.match(check('store').finding, /redis takes \d{3} ms to answer/)
  })

  test('database gone: counters stay readable, the log names it', async ({ assert }) => {
    await backend.postgres.stop('SIGQUIT')
    const { status } = await register(product)
    assert.equal(status, 503)
    assert.isAtLeast((await metric(product, `gatehouse_logins_total{${BY_PASSWORD}}`))!, 1)
    assert.isNull(await metric(product, 'gatehouse_unsealed_events'))
    await until(() => /"reason":"[^"]*(Postgres|database)/i.test(product.output.join('')))
  })
})
