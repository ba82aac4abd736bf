import { test } from '@japa/runner'
import router from '@adonisjs/core/services/router'
import { tags } from '#openapi/operations/index'
import { providerRoutes } from '#openapi/provider_routes'
import { someAddress } from '#tests/support/fixtures'
import { provedOn } from '#tests/support/proved_on'

provedOn('sqlite', 'Routes and headers decide, before anything is read.')

const BASE = `http://127.0.0.1:${process.env.PORT}`
const ALLOWED = 'http://app.gatehouse.test'

/** Documented, but not needed by a page of another origin. */
const FOR_SERVERS = ['POST /oauth/introspect', 'GET /metrics', 'GET /.well-known/webauthn']

/** Documented and public: they allow every origin. */
const FOR_EVERYBODY = ['GET /.well-known/jwks.json', 'GET /.well-known/webfinger']

const ofProvider = new Set(providerRoutes().map(({ key }) => key))
const documented = tags
  .flatMap(({ operations }) => Object.keys(operations))
  .filter((key) => !ofProvider.has(key))
const restricted = new Set([...FOR_SERVERS, ...FOR_EVERYBODY])
const readable = documented.filter((key) => !restricted.has(key))

/** Lists each method of each route. */
const routes = () =>
  Object.values(router.toJSON())
    .flat()
    .filter(({ pattern }) => pattern !== '/api/*')
    .flatMap(({ pattern, methods }) => methods.map((method) => ({ method, pattern })))

interface Asked {
  method: string
  pattern: string
  origin?: string
}

function ask({ method, pattern, origin = ALLOWED }: Asked, headers: Record<string, string> = {}) {
  const path = pattern.replaceAll(/:\w+/g, 'x').replace('*', 'x')
  const sent = { ...headers, origin, 'x-forwarded-for': someAddress() }
  return fetch(BASE + path, { method, headers: sent, redirect: 'manual' })
}

function preflight({ method, pattern, origin }: Asked) {
  const headers = { 'access-control-request-method': method }
  return ask({ method: 'OPTIONS', pattern, origin }, headers)
}

const allowedBy = (response: Response) => response.headers.get('access-control-allow-origin')
const keyOf = ({ method, pattern }: Asked) => `${method.replace(/HEAD|OPTIONS/, 'GET')} ${pattern}`

test.group('Cross-origin requests', () => {
  test('read the API and no page: answers', async ({ assert }) => {
    const allowing = new Set<string>()
    for (const route of routes()) {
      const origin = allowedBy(await ask(route))
      if (origin === ALLOWED) allowing.add(keyOf(route))
      else if (origin) assert.include(FOR_EVERYBODY, keyOf(route))
    }
    assert.sameMembers([...allowing], readable)
  }).timeout(120_000)

  test('read the API and no page: preflights', async ({ assert }) => {
    const allowing = new Set<string>()
    for (const route of routes()) {
      if (allowedBy(await preflight(route)) === ALLOWED) allowing.add(keyOf(route))
    }
    assert.sameMembers([...allowing], readable)
  }).timeout(120_000)

  test('of another origin read nothing', async ({ assert }) => {
    const route = { method: 'GET', pattern: '/auth/profile', origin: 'http://evil.test' }
    assert.isNull(allowedBy(await ask(route)))
    assert.isNull(allowedBy(await preflight(route)))
  })

  test('read every spelling of an API path', async ({ assert }) => {
    for (const path of ['/api/auth/profile', '/api/v1/auth/profile', '/api/v2/users']) {
      assert.equal(allowedBy(await ask({ method: 'GET', pattern: path })), ALLOWED)
      assert.equal(allowedBy(await preflight({ method: 'GET', pattern: path })), ALLOWED)
    }
  })

  test('read no page by another spelling: {$self}')
    .with(['/api/admin', '/api/v1/admin/users', '/admin/', '//admin', '/oauth/authorize?x=1'])
    .run(async ({ assert }, pattern) => {
      assert.isNull(allowedBy(await ask({ method: 'GET', pattern })))
      assert.isNull(allowedBy(await preflight({ method: 'GET', pattern })))
    })
})
