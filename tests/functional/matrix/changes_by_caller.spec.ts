import { randomUUID } from 'node:crypto'
import { test } from '@japa/runner'
import type { ApiClient, ApiResponse } from '@japa/api-client'
import { BY_PASSWORD } from '#auth/sessions/authentication'
import { startSession } from '#auth/sessions/sessions'
import { SCOPES } from '#auth/api_keys/scopes'
import { addServiceAccount } from '#users/service_accounts'
import { SYSTEM } from '#audit/actor'
import User from '#models/user'
import { createClient } from '#oidc/clients/clients'
import { applicationOf, serviceApplication } from '#tests/support/delegates'
import { createAdmin, createUser, keyOf, someAddress } from '#tests/support/fixtures'
import { cellsHere } from '#tests/support/proved_on'
import { send, type Change as Sent } from './change_requests.ts'
import { FOR_DELEGATES, FOR_KEYS, FOR_USERS } from './callers.ts'
import { LEAVING } from './group_changes.ts'
import { FIRST_PARTY_CHANGES, NEW_CLIENT } from './client_changes.ts'
import {
  ADMIN_CHANGES,
  OWN_CHANGES,
  PLAIN_CHANGES,
  smallPicture,
  type Prover,
} from './sensitive_changes.ts'
import { outcomeOf } from './sign_in_methods.ts'

/*
 | Every change on a real target × every caller that is not a user's own session. A key or an
 | application that leaks must not take an account over, whatever its scopes are.
 */

type Delegate = Omit<Prover, 'client' | 'body'>

async function delegateOf(user: User, { headers }: { headers: Record<string, string> }) {
  return { user, headers }
}

async function serviceOf() {
  const { id } = await addServiceAccount({ username: 'Robot', role: 'Admin' }, SYSTEM)
  return User.findOrFail(id)
}

const CALLERS: Record<string, () => Promise<Delegate>> = {
  async 'an application'() {
    const admin = await createAdmin()
    return delegateOf(admin, await applicationOf(admin))
  },
  async 'client credentials'() {
    const application = await serviceApplication()
    return delegateOf(await User.findOrFail(application.service.id), application)
  },
  async 'an API key'() {
    const admin = await createAdmin()
    return delegateOf(admin, await keyOf(admin, [...SCOPES]))
  },
  async 'the key of a service account'() {
    const service = await serviceOf()
    return delegateOf(service, await keyOf(service, [...SCOPES]))
  },
}

async function sessionOf({ id, email, role }: User) {
  const device = { id: 'default', ip: someAddress(), userAgent: null }
  const { session } = await startSession({ id, email, role }, { device, ...BY_PASSWORD })
  return session.id
}

const onOther =
  (change: (user: User) => Promise<Sent> | Sent): Sent =>
  async (prover) =>
    (await change(await createUser()))(prover)

/** Endings that need no proof of a user. */
const ENDS = {
  'signing out': send('post', '/auth/logout'),
  'signing out everywhere': send('post', '/auth/logout-all'),
  'revoking the token': send('post', '/auth/revoke'),
  'forgetting a device': send('delete', `/auth/devices/${randomUUID()}`),
  'removing the picture': send('delete', '/users/avatar'),
  'ending an own session': async (prover) =>
    send('delete', `/auth/sessions/${await sessionOf(prover.user)}`)(prover),
  'ending the sessions of a user': onOther(({ id }) => send('delete', `/users/${id}/sessions`)),
  'ending a session of a user': onOther(async (user) =>
    send('delete', `/users/${user.id}/sessions/${await sessionOf(user)}`)
  ),
  'another password of a user': onOther(({ id }) =>
    send('patch', `/users/${id}/password`, { password: 'An0ther-horse!' })
  ),
  'the logo of a client': async ({ client, headers }) => {
    const { client: grafana } = await createClient(NEW_CLIENT, SYSTEM)
    const request = client.put(`/oauth-clients/${grafana.id}/logo`).headers(headers)
    return request.file('file', await smallPicture(), { filename: 'logo.png' })
  },
  'no logo of a client': async (prover) => {
    const { client } = await createClient(NEW_CLIENT, SYSTEM)
    return send('delete', `/oauth-clients/${client.id}/logo`)(prover)
  },
  'revoking a key of a user': onOther(async (user) => {
    const { id } = await keyOf(user)
    return send('delete', `/users/${user.id}/api-keys/${id}`)
  }),
  'a new external provider': send('post', '/external-providers', {
    name: 'acme',
    issuer: 'https://acme.example',
    clientId: 'gatehouse',
    clientSecret: 'secret',
  }),
  'trying an external provider': send('post', '/external-providers/acme/test', {
    issuer: 'https://acme.example',
  }),
  'the logo of the brand': async ({ client, headers }) => {
    const request = client.put('/settings/BRAND_LOGO').headers({ ...headers, 'if-match': '*' })
    return request.file('file', await smallPicture(), { filename: 'logo.png' })
  },
  ...LEAVING,
} satisfies Record<string, Sent>

const CHANGES = {
  ...OWN_CHANGES,
  ...ADMIN_CHANGES,
  ...PLAIN_CHANGES,
  ...FIRST_PARTY_CHANGES,
  ...ENDS,
}
type Change = keyof typeof CHANGES

/** What a scope allows. Every other change is refused to each of the callers. */
const BY_SCOPE: Partial<Record<Change, Record<'application' | 'key', boolean>>> = {
  'the name of a user': { application: true, key: true },
  'the metadata of a user': { application: true, key: true },
  'a new user': { application: true, key: true },
  'unlocking a user': { application: true, key: true },
  'ending an own session': { application: true, key: true },
  'ending the sessions of a user': { application: true, key: true },
  'ending a session of a user': { application: true, key: true },
  'the logo of a client': { application: false, key: true },
  'no logo of a client': { application: false, key: true },
  'a new client': { application: false, key: true },
  'the name of a client': { application: false, key: true },
  'pushed requests alone for a client': { application: false, key: true },
  'bound tokens alone for a client': { application: false, key: true },
  'another secret of a client': { application: false, key: true },
  'deleting a client': { application: false, key: true },
  'a new group': { application: false, key: true },
  'the title of a group': { application: false, key: true },
  'the name of a group': { application: false, key: true },
  'deleting a group': { application: false, key: true },
  'a member of a group': { application: false, key: true },
  'no member of a group': { application: false, key: true },
  'the groups of a user': { application: false, key: true },
  'a new webhook': { application: false, key: true },
  'the address of a webhook': { application: false, key: true },
  'another secret of a webhook': { application: false, key: true },
  'the name of a webhook': { application: false, key: true },
  'disabling a webhook': { application: false, key: true },
  'testing a webhook': { application: false, key: true },
  'replaying a webhook': { application: false, key: true },
  'retrying a delivery': { application: false, key: true },
  'deleting a webhook': { application: false, key: true },
}

function isAllowed(change: Change, caller: string) {
  const kind = caller.includes('key') ? 'key' : 'application'
  return BY_SCOPE[change]?.[kind] ?? false
}

const CELLS = (Object.keys(CHANGES) as Change[]).flatMap((change) =>
  Object.keys(CALLERS).map((caller) => ({ change, caller, passes: isAllowed(change, caller) }))
)

/** A caller is refused by its scopes after it was read: the change itself reaches no store. */
const isEverywhere = ({ change, passes }: (typeof CELLS)[number]) =>
  passes || change === 'another e-mail' || change === 'disabling an Admin'

const REFUSED = ['403 E_INSUFFICIENT_SCOPE', '401 E_UNAUTHORIZED']

function perform(change: Change, client: ApiClient, delegate: Delegate) {
  return CHANGES[change]({ client, body: {}, ...delegate })
}

/** Returns `PUT /users/:id` for a path with an id. */
function routeOf(response: ApiResponse) {
  const { method, url } = response.request.request
  const path = new URL(url, 'http://localhost').pathname
  const pattern = path
    .replaceAll(/\/([0-9a-f-]{36}|[\w-]{16}(?=$))/g, '/:id')
    .replace(/external\/\w+/, 'external/:provider')
    .replace(/external-providers\/\w+/, 'external-providers/:name')
  return `${method} ${pattern}`
}

const nameless = (route: string) => route.replaceAll(/:(\w+Id|sessionId)/g, ':id')

test.group('Matrix | changes by caller', () => {
  test('{change} by {caller}: passes {passes}')
    .with(cellsHere(CELLS, isEverywhere))
    .run(async ({ client, assert }, { change, caller, passes }) => {
      const outcome = outcomeOf(await perform(change, client, await CALLERS[caller]()))
      if (passes) assert.match(outcome, /^20[0-4]$/)
      else assert.include(REFUSED, outcome)
    })

  test('every route that changes something is tried on a real target', async ({
    client,
    assert,
  }) => {
    const delegate = await CALLERS['an API key']()
    const tried = new Set<string>()
    for (const change of Object.keys(CHANGES) as Change[]) {
      tried.add(routeOf(await perform(change, client, delegate)))
    }
    const routes = [...FOR_USERS, ...FOR_DELEGATES, ...FOR_KEYS].map(nameless)
    assert.includeMembers([...tried], routes)
  })
})
