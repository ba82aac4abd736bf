import { test } from '@japa/runner'
import mfa from '#config/mfa'
import type User from '#models/user'
import { addServiceAccount } from '#users/service_accounts'
import { removePasskey } from '#auth/passkeys/manage_passkeys'
import { SYSTEM } from '#audit/actor'
import { createAdmin, createUser, keyOf, PASSWORD, signedIn } from '#tests/fixtures'
import { givePasskey } from '#tests/passkeys'
import { giveSecondFactor, outcomeOf } from './ways_in.ts'
import type { ApiClient } from '@japa/api-client'

/*
 | `ADMIN_REQUIRE_MFA` × routes of the API, for an administrator before and after the
 | enrolment, and for a user. The console's pages are in tests/browser/second_factor.spec.ts.
 */

interface Caller {
  client: ApiClient
  caller: User
  other: User
  headers: Record<string, string>
}

const REQUIRED = '403 E_MFA_ENROLMENT_REQUIRED'
const FORBIDDEN = '403 E_FORBIDDEN'

/** The session is from before the enrolment: it lets pass, and the change asks for the code. */
const UNPROVED = '403 E_RECENT_LOGIN_REQUIRED'

type Request = (given: Caller) => Promise<Parameters<typeof outcomeOf>[0]>

const get =
  (path: string): Request =>
  ({ client, headers }) =>
    client.get(path).headers(headers)

/** Outcomes of an administrator who has to enrol, of one who has, and of a user. */
const ROUTES: Record<string, { request: Request; outcomes: [string, string, string] }> = {
  'the list': { request: get('/users'), outcomes: [REQUIRED, '200', FORBIDDEN] },
  'the trail': { request: get('/audit-events'), outcomes: [REQUIRED, '200', FORBIDDEN] },
  'another user': {
    request: ({ client, other, headers }) => client.get(`/users/${other.id}`).headers(headers),
    outcomes: [REQUIRED, '200', FORBIDDEN],
  },
  'a change of another user': {
    request: ({ client, other, headers }) =>
      client.put(`/users/${other.id}`).headers(headers).json({ username: 'Eve' }),
    outcomes: [REQUIRED, '200', FORBIDDEN],
  },
  'a lock': {
    request: ({ client, other, headers }) =>
      client.post(`/users/${other.id}/lock`).headers(headers),
    outcomes: [REQUIRED, '200', FORBIDDEN],
  },
  'the own role': {
    request: ({ client, caller, headers }) =>
      client.put(`/users/${caller.id}`).headers(headers).json({ role: 'Editor' }),
    outcomes: [REQUIRED, UNPROVED, FORBIDDEN],
  },
  'the own record': {
    request: ({ client, caller, headers }) => client.get(`/users/${caller.id}`).headers(headers),
    outcomes: ['200', '200', '200'],
  },
  'a change of the own name': {
    request: ({ client, caller, headers }) =>
      client.put(`/users/${caller.id}`).headers(headers).json({ username: 'Eve' }),
    outcomes: ['200', '200', '200'],
  },
  'the profile': { request: get('/auth/profile'), outcomes: ['200', '200', '200'] },
  'the own sessions': { request: get('/auth/sessions'), outcomes: ['200', '200', '200'] },
  'the enrolment': {
    request: ({ client, headers }) =>
      client.post('/auth/mfa/setup').headers(headers).json({ currentPassword: PASSWORD }),
    outcomes: ['200', UNPROVED, '200'],
  },
}

const CALLERS = ['an administrator to enrol', 'an enrolled administrator', 'a user']

const CELLS = Object.entries(ROUTES).flatMap(([route, { outcomes }]) =>
  CALLERS.map((who, index) => ({ route, who, outcome: outcomes[index] }))
)

test.group('Matrix | required MFA by route', (group) => {
  group.setup(() => {
    mfa.isRequiredOfAdmins = true
    return () => {
      mfa.isRequiredOfAdmins = false
    }
  })

  test('{route} for {who}: {outcome}')
    .with(CELLS)
    .run(async ({ client, assert }, { route, who, outcome }) => {
      const caller = await (who === 'a user' ? createUser() : createAdmin())
      const { headers } = await signedIn(client, caller)
      if (who === 'an enrolled administrator') await giveSecondFactor(caller)
      const other = await createUser()
      const response = await ROUTES[route].request({ client, caller, other, headers })
      assert.equal(outcomeOf(response), outcome)
    })

  test('introspection by the key of {who}: {outcome}')
    .with([
      { who: 'an administrator to enrol', outcome: REQUIRED },
      { who: 'an enrolled administrator', outcome: '200' },
      { who: 'a service account', outcome: '200' },
    ])
    .run(async ({ client, assert }, { who, outcome }) => {
      const isService = who === 'a service account'
      const owner = await (isService
        ? addServiceAccount({ username: 'Robot' }, SYSTEM)
        : createAdmin())
      if (who === 'an enrolled administrator') await giveSecondFactor(owner)
      const { headers } = await keyOf(owner, ['tokens:introspect'])
      const response = await client.post('/oauth/introspect').headers(headers).form({ token: 'x' })
      assert.equal(outcomeOf(response), outcome)
    })

  test('a passkey is enough, and its removal closes the routes', async ({ client, assert }) => {
    const admin = await createAdmin()
    const { headers } = await signedIn(client, admin)
    const outcomes = [outcomeOf(await client.get('/users').headers(headers))]
    const { id } = await givePasskey(admin)
    outcomes.push(outcomeOf(await client.get('/users').headers(headers)))
    await removePasskey(admin.id, { id }, SYSTEM)
    outcomes.push(outcomeOf(await client.get('/users').headers(headers)))
    assert.deepEqual(outcomes, [REQUIRED, '200', REQUIRED])
  })

  test('removing the factor closes the routes at once', async ({ client, assert }) => {
    const admin = await createAdmin()
    const { headers } = await signedIn(client, admin)
    await giveSecondFactor(admin)
    const before = await client.get('/users').headers(headers)
    await admin.merge({ mfaEnabled: false }).save()
    const after = await client.get('/users').headers(headers)
    assert.deepEqual([outcomeOf(before), outcomeOf(after)], ['200', REQUIRED])
  })
})
