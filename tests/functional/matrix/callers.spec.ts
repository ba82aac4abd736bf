import { test } from '@japa/runner'
import router from '@adonisjs/core/services/router'
import store from '#auth/store/service'
import { SYSTEM } from '#audit/actor'
import { SCOPES } from '#auth/api_keys/scopes'
import { addServiceAccount } from '#users/service_accounts'
import { applicationOf, serviceApplication } from '#tests/support/delegates'
import { createAdmin, keyOf, signedIn, someAddress } from '#tests/support/fixtures'
import { cellsHere } from '#tests/support/proved_on'
import { FOR_DELEGATES, FOR_KEYS, FOR_SERVICES, FOR_USERS, PAGES, PUBLIC } from './callers.ts'
import type { ApiClient } from '@japa/api-client'

/*
 | Every route that changes something × who calls it. A new route is put into a list of
 | `callers.ts`, or the first test fails. What a caller may change behind a route is in
 | `sensitive_changes.spec.ts`, `client_limits.spec.ts` and `delegated_changes.spec.ts`.
 */

type Headers = Record<string, string>

const UNKNOWN = '01a1fd70-f1c0-7c4b-9d3e-2f8a51c7e604'

const CALLERS: Record<string, (client: ApiClient) => Promise<Headers>> = {
  'a fresh session': async (client) => headersOf(await sessionOf(client)),
  'an old session': oldSession,
  'an application': async () => headersOf(await applicationOf(await createAdmin())),
  'client credentials': async () => headersOf(await serviceApplication()),
  'an API key': async () => headersOf(await keyOf(await createAdmin(), [...SCOPES])),
  'the key of a service account': serviceKey,
  'a visitor': async () => ({}),
}

const headersOf = ({ headers }: { headers: Headers }) => headers

async function sessionOf(client: ApiClient) {
  const admin = await createAdmin()
  return { admin, ...(await signedIn(client, admin)) }
}

async function oldSession(client: ApiClient) {
  const { admin, sessionId, headers } = await sessionOf(client)
  const proof = { amr: ['pwd'], at: Date.now() - 600_001 }
  await store.reauthenticateSession({ userId: admin.id, sessionId }, proof)
  return headers
}

async function serviceKey() {
  const service = await addServiceAccount({ username: 'Robot', role: 'Admin' }, SYSTEM)
  return headersOf(await keyOf(service, [...SCOPES]))
}

const USERS = ['a fresh session', 'an old session']
const CLIENTS = ['an application', 'client credentials']
const KEYS = ['an API key', 'the key of a service account']

/** The callers that each list of routes admits. */
const LISTS: Record<string, { routes: string[]; takes: string[] }> = {
  'for users': { routes: FOR_USERS, takes: USERS },
  'for delegates': { routes: FOR_DELEGATES, takes: [...USERS, ...CLIENTS, ...KEYS] },
  'for keys': { routes: FOR_KEYS, takes: [...USERS, ...KEYS] },
  'for services': { routes: FOR_SERVICES, takes: KEYS },
  'for browsers': { routes: PAGES, takes: [] },
}

const CELLS = Object.entries(LISTS).flatMap(([list, { routes, takes }]) =>
  routes.flatMap((route) =>
    Object.keys(CALLERS).map((caller) => ({ list, route, caller, passes: takes.includes(caller) }))
  )
)

function changingRoutes() {
  const routes = Object.values(router.toJSON()).flat()
  const changing = routes.filter(({ methods }) => !['GET', 'HEAD', 'OPTIONS'].includes(methods[0]))
  return [...new Set(changing.map(({ methods, pattern }) => `${methods[0]} ${pattern}`))]
}

function send(client: ApiClient, route: string, headers: Headers) {
  const [method, pattern] = route.split(' ')
  const path = pattern.replaceAll(/:\w+/g, UNKNOWN)
  const name = method.toLowerCase() as 'post' | 'put' | 'patch' | 'delete'
  const request = client[name](path).headers({ ...headers, 'x-forwarded-for': someAddress() })
  return request.redirects(0)
}

/** Returns whether the caller is refused, as opposed to a request that lacks something. */
function isRefused(status: number, body: { code?: string }) {
  const isForCaller = ['E_INSUFFICIENT_SCOPE', 'E_UNAUTHORIZED']
  return status === 401 || isForCaller.includes(body.code ?? '')
}

/** Redirects to a page that asks for a sign-in, or a page that says what is missing. */
const REFUSALS_OF_PAGES = [302, 303, 400, 401, 403, 404, 410, 422]

const OF_API = CELLS.filter(({ list }) => list !== 'for browsers')
const OF_PAGES = CELLS.filter(
  ({ list, caller }) => list === 'for browsers' && caller === 'an API key'
)

/** The list of the route refuses a caller that was read: the route itself reads nothing. */
const isEverywhere = ({ list, route, passes }: (typeof CELLS)[number]) =>
  passes || route === LISTS[list].routes[0]

test.group('Matrix | routes by caller', () => {
  test('every route that changes something is in one list', ({ assert }) => {
    const listed = [...PUBLIC, ...Object.values(LISTS).flatMap(({ routes }) => routes)]
    assert.sameMembers(listed, changingRoutes())
  })

  test('{route} by {caller}: passes {passes}')
    .with(cellsHere(OF_API, isEverywhere))
    .run(async ({ client, assert }, { route, caller, passes }) => {
      const response = await send(client, route, await CALLERS[caller](client))
      assert.equal(isRefused(response.status(), response.body()), !passes, response.text())
    })

  test('{route} does nothing for {caller}')
    .with(cellsHere(OF_PAGES, isEverywhere))
    .run(async ({ client, assert }, { route, caller }) => {
      const request = send(client, route, await CALLERS[caller](client))
      const response = await request.form({ name: 'x' })
      assert.include(REFUSALS_OF_PAGES, response.status())
    })
})
