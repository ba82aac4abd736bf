import { test } from '@japa/runner'
import * as oidc from 'openid-client'
import db from '@adonisjs/lucid/services/db'
import mfa from '#config/mfa'
import { endAllSessionsAs } from '#auth/sessions/end_session'
import { SYSTEM } from '#audit/actor'
import { createGroup } from '#groups/groups'
import { addMember } from '#groups/members'
import { deleteClient, rotateSecret, updateClient } from '#oidc/clients/clients'
import { changeRole } from '#users/change_role'
import { deleteUser } from '#users/delete_user'
import { disableUser } from '#users/disable_user'
import { lockUser } from '#users/lock_user'
import { createAdmin } from '#tests/support/fixtures'
import {
  answerOf,
  quickAnswerOf,
  scene,
  theWholeWay,
  type Asked,
  type Scene,
} from './introspecting.ts'

/* Most requests are answered before the router: both responses must be identical byte for byte. */

async function restrict({ app, user }: Scene, { isMember }: { isMember: boolean }) {
  const group = await createGroup({ name: `Staff ${user.id}` }, SYSTEM)
  if (isMember) await addMember(user.id, group.id, SYSTEM)
  const rule = { access: 'groups' as const, allowedGroups: [group.name] }
  await updateClient(app.client.id, rule, SYSTEM)
}

async function endSecret({ app: { client } }: Scene) {
  await rotateSecret(client.id, SYSTEM)
  await db.from('oauth_clients').where('id', client.id).update({ former_secret_until: 1 })
}

interface Change {
  make: (scene: Scene) => Promise<unknown>
  /** Whether the short code path still answers. */
  isQuick: boolean
}

/** What happens to a token that was introspected before. */
const CHANGES: Record<string, Change> = {
  'nothing': { isQuick: true, make: async () => {} },
  'another role': {
    isQuick: false,
    make: ({ user }) => changeRole(user.id, 'Admin', SYSTEM),
  },
  'a client that lost a scope': {
    isQuick: true,
    make: ({ app }) => updateClient(app.client.id, { scopes: ['openid', 'profile'] }, SYSTEM),
  },
  'a client that became public': {
    isQuick: false,
    make: ({ app }) => updateClient(app.client.id, { tokenEndpointAuthMethod: 'none' }, SYSTEM),
  },
  'a client that was deleted': {
    isQuick: false,
    make: ({ app }) => deleteClient(app.client.id, SYSTEM),
  },
  'a client for the group of the user': {
    isQuick: true,
    make: (given) => restrict(given, { isMember: true }),
  },
  'a client for another group': {
    isQuick: false,
    make: (given) => restrict(given, { isMember: false }),
  },
  'a client that needs two factors': {
    isQuick: false,
    make: ({ app }) => updateClient(app.client.id, { requireMfa: true }, SYSTEM),
  },
  'a session that ended': {
    isQuick: false,
    make: ({ user }) => endAllSessionsAs(user.id, SYSTEM),
  },
  'a token that was revoked': {
    isQuick: false,
    make: ({ app, token }) => oidc.tokenRevocation(app.config, token),
  },
  'a user who was disabled': {
    isQuick: false,
    make: ({ user }) => disableUser(user.id, {}, SYSTEM),
  },
  'a user who was deleted': { isQuick: false, make: ({ user }) => deleteUser(user.id, SYSTEM) },
  'a user who is locked': {
    isQuick: true,
    make: ({ user }) => lockUser(user.id, Date.now() + 60_000, SYSTEM),
  },
  'a user who must change the password': {
    isQuick: true,
    make: ({ user }) =>
      db.from('users').where('id', user.id).update({ must_change_password: true }),
  },
  'a secret that has a successor': {
    isQuick: true,
    make: ({ app }) => rotateSecret(app.client.id, SYSTEM),
  },
  'a secret whose day is over': { isQuick: false, make: endSecret },
  'a wrong secret': {
    isQuick: false,
    make: (given) => answerOf(given, { basic: `${given.app.client.clientId}:wrong` }),
  },
}

const REQUESTS: Record<string, (scene: Scene) => Asked> = {
  'the secret in the form': () => ({ basic: null }),
  'a hint': ({ token }) => ({
    form: [
      ['token_type_hint', 'access_token'],
      ['token', token],
    ],
  }),
  'two tokens': ({ token }) => ({
    form: [
      ['token', token],
      ['token', token],
    ],
  }),
  'another field': ({ token }) => ({
    form: [
      ['token', token],
      ['client_assertion', 'x'],
    ],
  }),
  'no token': () => ({ form: [['token_type_hint', 'access_token']] }),
  'an unknown token': () => ({ form: [['token', 'gho_none']] }),
  'a token with another end': ({ token }) => ({ form: [['token', `${token.slice(0, -4)}AAAA`]] }),
  'a wrong secret': ({ app }) => ({ basic: `${app.client.clientId}:wrong` }),
  'an unknown client': () => ({ basic: 'unknown:wrong' }),
  'no credentials': () => ({ headers: { authorization: '' } }),
  'a bearer token': ({ token }) => ({ headers: { authorization: `Bearer ${token}` } }),
  'JSON': () => ({ headers: { 'content-type': 'application/json' } }),
  'another character set': () => ({
    headers: { 'content-type': 'application/x-www-form-urlencoded; charset=iso-8859-1' },
  }),
  'an origin': () => ({ headers: { origin: 'https://app.example.org' } }),
  'problem details': () => ({ headers: { accept: 'application/problem+json' } }),
}

test.group('Introspection | both ways', () => {
  test('are alike after {$self}')
    .with(Object.keys(CHANGES))
    .run(async ({ assert }, what) => {
      const given = await scene()
      const before = await answerOf(given)
      assert.equal(before.status, 200)
      assert.equal(await quickAnswerOf(given), before.body)
      const { make, isQuick } = CHANGES[what]
      await make(given)
      const quick = await quickAnswerOf(given)
      const answer = await answerOf(given)
      assert.deepEqual(answer, await theWholeWay(given))
      assert.equal(quick, isQuick ? answer.body : null)
    })

  test('are alike for a request with {$self}')
    .with(Object.keys(REQUESTS))
    .run(async ({ assert }, what) => {
      const given = await scene()
      const asked = REQUESTS[what](given)
      assert.deepEqual(await answerOf(given, asked), await theWholeWay(given, asked))
    })

  test('are alike for the scope “{$self}”')
    .with(['openid', 'profile openid', 'openid offline_access email profile'])
    .run(async ({ assert }, scope) => {
      const given = await scene(scope)
      const answer = await answerOf(given)
      assert.equal(await quickAnswerOf(given), answer.body)
      assert.deepEqual(answer, await theWholeWay(given))
    })

  test('are alike for the token of another client', async ({ assert }) => {
    const [given, { app }] = [await scene(), await scene()]
    const asking = { ...given, app }
    assert.isNull(await quickAnswerOf(asking))
    const answer = await answerOf(asking)
    assert.deepEqual(JSON.parse(answer.body), { active: false })
    assert.deepEqual(answer, await theWholeWay(asking))
  })

  test('are alike once administrators need two factors', async ({ assert, cleanup }) => {
    const given = await scene('openid', createAdmin())
    mfa.isRequiredOfAdmins = true
    cleanup(() => {
      mfa.isRequiredOfAdmins = false
    })
    assert.deepEqual(await answerOf(given), await theWholeWay(given))
  })

  test('are refused after {wrong} wrong secrets: {isRefused}')
    .with([
      { wrong: 19, isRefused: false },
      { wrong: 20, isRefused: true },
    ])
    .run(async ({ assert }, { wrong, isRefused }) => {
      const given = await scene()
      const basic = `${given.app.client.clientId}:wrong`
      for (let time = 0; time < wrong; time++) await answerOf(given, { basic })
      const [answer, whole] = [await answerOf(given), await theWholeWay(given)]
      assert.deepEqual([answer.status, whole.status], isRefused ? [429, 429] : [200, 200])
    })
})
