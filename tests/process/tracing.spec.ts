import { test } from '@japa/runner'
import { until } from '#tests/support/waiting'
import { Backend } from './backend.ts'
import { Collector } from './collector.ts'
import { Product } from './product.ts'
import { watchModules } from './watched_modules.ts'

const EMAIL = 'planted-ada@example.org'
const PASSWORD = 'Planted-h0rse!'
const ID = '0199f3a2-77aa-7c11-8d2e-0f0e6a7b1c2d'

const TRACE = 'a'.repeat(32)
const TRACEPARENT = `00-${TRACE}-${'b'.repeat(16)}-01`

function register(product: Product) {
  return product.ask('/auth/register', {
    body: { email: EMAIL, username: 'Ada', password: PASSWORD },
  })
}

function logIn(product: Product, headers: Record<string, string> = {}) {
  return product.ask('/auth/login', { body: { email: EMAIL, password: PASSWORD }, headers })
}

/** Starts a product with a user, and a collector of its traces. */
async function startTraced(settings: Record<string, string> = {}, options = {}) {
  const collector = await Collector.start(options)
  const endpoint = { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url }
  const product = await Product.start({ ...endpoint, LOG_LEVEL: 'info', ...settings })
  await register(product)
  return { collector, product }
}

test.group('Traces', (group) => {
  let collector: Collector
  let product: Product
  group.setup(async () => {
    ;({ collector, product } = await startTraced())
  })
  group.teardown(async () => {
    await product.remove()
    collector.stop()
  })

  test('show a request by its route, and its steps', async ({ assert }) => {
    await logIn(product)
    const login = await until(() => collector.find('POST /auth/login'))
    const names = () => collector.spans.filter(({ traceId }) => traceId === login!.traceId)
    await until(() => names().some(({ name }) => name === 'hash'))
    assert.includeMembers(
      names().map(({ name }) => name),
      ['hash wait', 'hash']
    )
    for (const name of ['seal', 'mail']) await until(() => collector.find(name))
  })

  test('show a route of the OpenID provider', async () => {
    await fetch(`${product.url}/.well-known/openid-configuration`)
    await until(() => collector.find('openid discovery'))
    await until(() => collector.find('GET /.well-known/openid-configuration'))
  })

  test('hold no e-mail, password, token, id or query', async ({ assert }) => {
    const { body } = await logIn(product)
    const token = body.accessToken
    await product.request(`/users/${ID}?search=planted-query`, { token })
    await product.request('/auth/refresh', { body: { refreshToken: body.refreshToken } })
    await until(() => collector.find('GET /users/:id') && collector.find('POST /auth/refresh'))
    const received = collector.bodies.join('')
    for (const planted of ['planted', 'Planted', ID, token, body.refreshToken, '127.0.0.1']) {
      assert.notInclude(received, planted)
    }
    const keys = collector.spans.flatMap(({ attributes }) => attributes.map(({ key }) => key))
    for (const key of keys) assert.notMatch(key, /^url\.|http\.target|statement|query|address/)
  })

  test('a line of the log names the trace of its request', async ({ assert }) => {
    const { response } = await logIn(product)
    const requestId = response.headers.get('x-request-id')!
    const text = await until(() => product.lines.find((each) => each.includes(requestId)))
    const line = JSON.parse(text!)
    await until(() => collector.spans.some(({ traceId }) => traceId === line.trace_id))
    assert.match(line.trace_id, /^[\da-f]{32}$/)
  })
})

const PROXY = { TRUSTED_PROXIES: '127.0.0.0/8' }

const LATER = `${TRACEPARENT.replace('00', '01')}-more`
const VOID = TRACEPARENT.replace('00', 'ff')

test.group('Traces | of a caller or collector', (group) => {
  let collector: Collector
  let product: Product
  group.each.teardown(async () => {
    await product.remove()
    collector.stop()
  })

  async function start(settings?: Record<string, string>, options?: object) {
    ;({ collector, product } = await startTraced(settings, options))
  }

  test('{whom} sends a trace context: it is believed {isBelieved}')
    .with([
      { whom: 'a client', settings: {}, isBelieved: false, traceparent: TRACEPARENT },
      { whom: 'a proxy', settings: PROXY, isBelieved: true, traceparent: TRACEPARENT },
      { whom: 'a proxy of a later version', settings: PROXY, isBelieved: true, traceparent: LATER },
      { whom: 'a proxy of no version', settings: PROXY, isBelieved: false, traceparent: VOID },
    ])
    .run(async ({ assert }, { settings, isBelieved, traceparent }) => {
      await start(settings as Record<string, string>)
      await logIn(product, { traceparent })
      const login = await until(() => collector.find('POST /auth/login'))
      assert.equal(login!.traceId === TRACE, isBelieved)
    })

  test('a collector that never answers refuses no sign-in', async ({ assert }) => {
    await start({}, { isSlow: true })
    await until(() => collector.bodies.length > 0)
    const { status } = await logIn(product)
    assert.equal(status, 200)
    assert.equal(await product.stop(), 0)
  })

  test('a collector that is gone refuses no sign-in, and is named', async ({ assert }) => {
    await start()
    collector.stop()
    const { status } = await logIn(product)
    assert.equal(status, 200)
    await until(() => product.hasLogged('the collector takes no traces'))
  })
})

test.group('Traces | Postgres and Redis', (group) => {
  let backend: Backend
  let collector: Collector
  let product: Product
  group.setup(async () => {
    backend = await Backend.withRedis()
    collector = await Collector.start()
    const endpoint = { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url }
    product = await Product.start({ ...endpoint, ...backend.settings })
  })
  group.teardown(async () => {
    await product.remove()
    collector.stop()
    await backend.remove()
  })

  test('statements and commands are steps without their values', async ({ assert }) => {
    await register(product)
    await logIn(product)
    const login = await until(() => collector.find('POST /auth/login'))
    const names = () =>
      collector.spans.filter(({ traceId }) => traceId === login!.traceId).map(({ name }) => name)
    const has = (pattern: RegExp) => names().some((name) => pattern.test(name))
    await until(() => has(/^pg\.query:UPDATE$/) && has(/^evalsha$/i))
    assert.notMatch(collector.bodies.join(''), /planted|WHERE|127\.0\.0\.1/i)
  })
})

test.group('Traces | loaded modules', (group) => {
  let product: Product
  group.each.teardown(() => product.remove())

  async function modulesOf(settings: Record<string, string>) {
    const { loaded, settings: watched } = watchModules()
    product = await Product.start({ ...watched, ...settings })
    await register(product)
    await logIn(product)
    return loaded
  }

  const OPEN_TELEMETRY = '/node_modules/@opentelemetry/'

  test('nothing of OpenTelemetry is loaded unless it is asked for', async ({ assert }) => {
    const loaded = await modulesOf({})
    assert.isNotEmpty(loaded('app/telemetry/spans'))
    assert.isEmpty(loaded(OPEN_TELEMETRY))
  })

  test('an empty endpoint asks for nothing', async ({ assert }) => {
    const loaded = await modulesOf({ OTEL_EXPORTER_OTLP_ENDPOINT: '' })
    assert.isEmpty(loaded(OPEN_TELEMETRY))
  })

  test('an endpoint loads the SDK', async ({ assert }) => {
    const loaded = await modulesOf({ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:9' })
    assert.isNotEmpty(loaded('@opentelemetry/sdk-trace'))
  })
})
