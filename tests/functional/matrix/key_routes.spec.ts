import { test } from '@japa/runner'
import router from '@adonisjs/core/services/router'
import limits from '#config/limits'
import { limitOfRoute } from '#auth/api_keys/route_limits'
import { KEY_ROUTES, scopeOfRoute, scopesNeededAt } from '#auth/api_keys/route_scopes'
import { SCOPES } from '#auth/api_keys/scopes'
import { createAdmin, createUser, keyOf } from '#tests/support/fixtures'
import { setLimit } from '#tests/support/limits'
import type { ApiClient } from '@japa/api-client'

/*
 | An API key × every route that takes an access token, according to the router. A new route takes
 | no key until `route_scopes.ts` names its scope.
 */

type Route = ReturnType<typeof router.toJSON>[string][number]

function takesToken({ middleware }: Route) {
  return [...middleware.all()].some((item) => 'name' in item && item.name === 'auth')
}

const routes = () => Object.values(router.toJSON()).flat()

const keyOfRoute = ({ methods, pattern }: Route) => `${methods[0]} ${pattern}`

const UNKNOWN = '01a1fd70-f1c0-7c4b-9d3e-2f8a51c7e604'

/** Sends a request that is not refused to a key with all scopes because of the key. */
function send(client: ApiClient, { methods, pattern }: Route, headers: Record<string, string>) {
  const path = pattern.replace(/:\w+/g, UNKNOWN)
  const method = methods[0].toLowerCase() as 'get' | 'post' | 'put' | 'patch' | 'delete'
  return client[method](path).headers(headers)
}

test.group('Matrix | API key by route', () => {
  test('every route of the table is in the router', ({ assert }) => {
    const known = routes().filter(takesToken).map(keyOfRoute)
    assert.includeMembers(known, KEY_ROUTES)
  })

  test('a route without a scope takes no key', async ({ client, assert }) => {
    const { headers } = await keyOf(await createAdmin(), [...SCOPES])
    const closed = routes().filter((route) => takesToken(route) && !scopeOfRoute(route))
    for (const route of closed) {
      const response = await send(client, route, headers)
      const { code } = response.body()
      assert.equal(`${keyOfRoute(route)} ${code}`, `${keyOfRoute(route)} E_INSUFFICIENT_SCOPE`)
      assert.equal(response.header('www-authenticate'), 'Bearer error="insufficient_scope"')
    }
    assert.isAbove(closed.length, 25)
  })

  test('a route takes no key that lacks its scope', async ({ client, assert }) => {
    const admin = await createAdmin()
    const open = routes().filter((route) => takesToken(route) && scopeOfRoute(route))
    for (const route of open) {
      const others = SCOPES.filter((scope) => scope !== scopeOfRoute(route))
      const { headers } = await keyOf(admin, others)
      const response = await send(client, route, headers)
      assert.equal(response.body().code, 'E_INSUFFICIENT_SCOPE', keyOfRoute(route))
    }
  })

  test('a route takes a key of its scope', async ({ client, assert }) => {
    const admin = await createAdmin()
    const open = routes().filter((route) => takesToken(route) && scopeOfRoute(route))
    for (const route of open) {
      const { headers } = await keyOf(admin, scopesNeededAt(route))
      const response = await send(client, route, headers)
      assert.notInclude([401, 403], response.status(), keyOfRoute(route))
    }
  })

  test('a route that writes has a limit for each key', async ({ client, assert }) => {
    const admin = await createAdmin()
    const open = routes().filter((route) => takesToken(route) && scopeOfRoute(route))
    for (const route of open) {
      const limit = limitOfRoute(route)
      if (limit) setLimit(limits[limit], 1)
      const { headers } = await keyOf(admin, scopesNeededAt(route))
      const first = await send(client, route, headers)
      const second = await send(client, route, headers)
      assert.notEqual(first.status(), 429, keyOfRoute(route))
      assert.equal(second.status() === 429, limit !== null, keyOfRoute(route))
    }
  })

  test('only the end of sessions and introspection have none', ({ assert }) => {
    const open = routes().filter((route) => takesToken(route) && scopeOfRoute(route))
    const writing = open.filter(({ methods }) => methods[0] !== 'GET')
    const unlimited = writing.filter((route) => limitOfRoute(route) === null)
    assert.sameMembers(unlimited.map(keyOfRoute), [
      'DELETE /auth/sessions/:id',
      'DELETE /users/:id/sessions',
      'DELETE /users/:id/sessions/:sessionId',
      'POST /oauth/introspect',
    ])
  })

  test('a route of administrators takes no key of others', async ({ client, assert }) => {
    const { headers } = await keyOf(await createUser(), ['sessions:read', 'sessions:write'])
    for (const route of routes().filter(isForAdmins)) {
      const response = await send(client, route, headers)
      assert.equal(response.status(), 403, keyOfRoute(route))
    }
  })
})

function isForAdmins(route: Route) {
  const names = [...route.middleware.all()].map((item) => ('name' in item ? item.name : ''))
  return takesToken(route) && names.includes('requireAdmin')
}
