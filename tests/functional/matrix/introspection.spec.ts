import { freezeTime, test, timeTravel } from '@japa/runner'
import db from '@adonisjs/lucid/services/db'
import mfa from '#config/mfa'
import tokens from '#config/tokens'
import { SYSTEM } from '#audit/actor'
import { revokeKey } from '#auth/api_keys/revoke_keys'
import { endSessions } from '#auth/sessions/sessions'
import { setPassword } from '#users/change_password'
import { deleteUser } from '#users/delete_user'
import { lockUser } from '#users/lock_user'
import { addServiceAccount } from '#users/service_accounts'
import { changeRole } from '#users/change_role'
import { disableUser } from '#users/disable_user'
import { createUser, keyOf, PASSWORD, signedIn } from '#tests/support/fixtures'
import { giveSecondFactor } from './sign_in_methods.ts'
import type { ApiClient } from '@japa/api-client'
import type User from '#models/user'

/*
 | Introspection × every state of a user, a session or a key. Each row is asked twice: its answer
 | must agree with `GET /auth/profile` for the same token.
 */

type Headers = Record<string, string>

interface State {
  /** Brings about the state, after the token was issued. */
  reach: (given: { client: ApiClient; user: User; headers: Headers; keyId: string }) => unknown
  /** Whether the token of a session is then active, and whether an API key is. */
  session: boolean
  key: boolean
}

const nothing = () => {}

function travelDays(days: number) {
  for (let day = 0; day < days; day++) timeTravel('1 day')
}

const change =
  (columns: object) =>
  ({ user }: { user: User }) =>
    db.from('users').where('id', user.id).update(columns)

const STATES: Record<string, State> = {
  'of today': { reach: nothing, session: true, key: true },
  'after its revocation': {
    reach: ({ client, headers }) => client.post('/auth/revoke').headers(headers),
    session: false,
    key: true,
  },
  'after a logout': {
    reach: ({ client, headers }) => client.post('/auth/logout').headers(headers),
    session: false,
    key: true,
  },
  'after an administrator ended the sessions': {
    reach: ({ user }) => db.transaction((trx) => endSessions(user.id, { trx })),
    session: false,
    key: true,
  },
  'of a user who is disabled': {
    reach: ({ user }) => disableUser(user.id, {}, SYSTEM),
    session: false,
    key: false,
  },
  'of a user who is deleted': {
    reach: ({ user }) => deleteUser(user.id, SYSTEM),
    session: false,
    key: false,
  },
  'of a user who is locked': {
    reach: ({ user }) => lockUser(user.id, Date.now() + 600_000, SYSTEM),
    session: true,
    key: true,
  },
  'of a user with another role': {
    reach: ({ user }) => changeRole(user.id, 'Admin', SYSTEM),
    session: false,
    key: true,
  },
  'of a user with a temporary password': {
    reach: ({ user }) => setPassword(user, `${PASSWORD}2`, { actor: SYSTEM, mustChange: true }),
    session: false,
    key: false,
  },
  'of a user who turned on MFA': {
    reach: ({ user }) => giveSecondFactor(user),
    session: true,
    key: true,
  },
  'of a user with an unverified address': {
    reach: change({ email_verified_at: null }),
    session: true,
    key: true,
  },
  'of an administrator who must enrol MFA': {
    reach: change({ role: 'Admin' }),
    session: true,
    key: true,
  },
  'after the key was revoked': {
    reach: ({ user, keyId }) => revokeKey(user.id, keyId, SYSTEM),
    session: true,
    key: false,
  },
  'after the life of an access token': {
    reach: () => timeTravel(tokens.accessTtlMs),
    session: false,
    key: true,
  },
  'after the life of a key': {
    reach: () => travelDays(91),
    session: false,
    key: false,
  },
}

const CELLS = Object.entries(STATES).flatMap(([state, { session, key }]) => [
  { kind: 'session', state, isActive: session },
  { kind: 'key', state, isActive: key },
])

async function introspect(client: ApiClient, token: string) {
  const service = await addServiceAccount({ username: 'Billing' }, SYSTEM)
  const { headers } = await keyOf(service, ['tokens:introspect'])
  return client.post('/oauth/introspect').headers(headers).form({ token })
}

test.group('Matrix | introspection by state', (group) => {
  group.each.setup(() => {
    mfa.isRequiredOfAdmins = true
    return () => {
      mfa.isRequiredOfAdmins = false
    }
  })

  test('a {kind} {state} is active: {isActive}')
    .with(CELLS)
    .run(async ({ client, assert }, { kind, state, isActive }) => {
      freezeTime()
      const user = await createUser()
      const [session, key] = [await signedIn(client, user), await keyOf(user)]
      await STATES[state].reach({ client, user, headers: session.headers, keyId: key.id })
      const { headers } = kind === 'key' ? key : session
      const token = headers.authorization.replace('Bearer ', '')
      const said = await introspect(client, token)
      const profile = await client.get('/auth/profile').headers(headers)
      assert.equal(said.body().active, isActive)
      assert.equal(profile.status(), isActive ? 200 : 401)
    })

  test('a key without the scope of the profile is inactive', async ({ client, assert }) => {
    const { key, headers } = await keyOf(await createUser(), ['sessions:read'])
    const said = await introspect(client, key)
    const profile = await client.get('/auth/profile').headers(headers)
    assert.deepEqual(said.body(), { active: false })
    profile.assertStatus(403)
  })
})
