import { test } from '@japa/runner'
import * as oidc from 'openid-client'
import db from '@adonisjs/lucid/services/db'
import type User from '#models/user'
import mfa from '#config/mfa'
import settings from '#config/oidc'
import { endAllSessionsAs } from '#auth/sessions/end_session'
import { SYSTEM } from '#audit/actor'
import { createGroup, updateGroup } from '#groups/groups'
import { addMember } from '#groups/members'
import { deleteClient, updateClient } from '#oidc/clients/clients'
import { changeRole } from '#users/change_role'
import { deleteUser } from '#users/delete_user'
import { disableUser } from '#users/disable_user'
import { lockUser } from '#users/lock_user'
import { updateUser } from '#users/update_user'
import { createAdmin, createUser } from '#tests/support/fixtures'
import { application, browserOf, throughProxy, tokensOf } from '#tests/support/oidc'
import type { Application } from '#tests/support/oidc'

/*
 | Most requests are answered before they enter the library. An unknown parameter makes the same
 | request pass through the library: both responses must be identical byte for byte.
 */

const USERINFO = `${settings.issuer}/oauth/userinfo`

/** Headers that identify the request and its time. */
const OWN_HEADERS = new Set(['date', 'x-request-id', 'keep-alive'])

async function answerOf(token: string, { query = '', method = 'GET', headers = {} }: Asked = {}) {
  const authorization = `Bearer ${token}`
  const request = { method, headers: { authorization, ...headers } }
  const response = await throughProxy(USERINFO + query, request)
  const shown = [...response.headers].filter(([name]) => !OWN_HEADERS.has(name))
  return { status: response.status, headers: shown, body: await response.text() }
}

interface Asked {
  query?: string
  method?: string
  headers?: Record<string, string>
}

const throughLibrary = (token: string, asked: Asked = {}) =>
  answerOf(token, { ...asked, query: '?through=library' })

interface Scene {
  app: Application
  user: User
  token: string
}

async function scene({
  scope = 'openid email profile groups',
  user = createUser(),
}: { scope?: string; user?: Promise<User> } = {}): Promise<Scene> {
  const app = await application({ kind: 'first_party' })
  const signedIn = await user
  const { access_token: token } = await tokensOf(app, await browserOf(signedIn), { scope })
  return { app, user: signedIn, token }
}

const describe = async (user: User) => {
  await updateUser(user.id, { nickname: 'Gräfin “Ada”' }, SYSTEM)
  await db.from('users').where('id', user.id).update({ avatar: '/avatars/a.webp', locale: 'de' })
}

/** What happens to a token that has been used before. */
const CHANGES: Record<string, (scene: Scene) => Promise<unknown>> = {
  'nothing': async () => {},
  'a name, a picture and a language': ({ user }) => describe(user),
  'another role': ({ user }) => changeRole(user.id, 'Admin', SYSTEM),
  'a client that lost a scope': ({ app }) =>
    updateClient(app.client.id, { scopes: ['openid', 'profile'] }, SYSTEM),
  'a client that lost openid': ({ app }) =>
    updateClient(app.client.id, { scopes: ['email', 'profile'] }, SYSTEM),
  'a client that was deleted': ({ app }) => deleteClient(app.client.id, SYSTEM),
  'a session that ended': ({ user }) => endAllSessionsAs(user.id, SYSTEM),
  'a token that was revoked': ({ app, token }) => oidc.tokenRevocation(app.config, token),
  'a user who was disabled': ({ user }) => disableUser(user.id, {}, SYSTEM),
  'a user who was deleted': ({ user }) => deleteUser(user.id, SYSTEM),
  'a user who must change the password': ({ user }) =>
    db.from('users').where('id', user.id).update({ must_change_password: true }),
  'a claim that the client adds': ({ app }) =>
    updateClient(app.client.id, { claims: { env: '=test', who: 'username' } }, SYSTEM),
  'a group': async ({ user }) => {
    const { id } = await createGroup({ name: `Staff ${user.id}` }, SYSTEM)
    await addMember(user.id, id, SYSTEM)
  },
  'a group with another name': async ({ user, token }) => {
    const { id } = await createGroup({ name: `Staff ${user.id}` }, SYSTEM)
    await addMember(user.id, id, SYSTEM)
    await answerOf(token)
    await updateGroup(id, { name: `Team ${user.id}` }, SYSTEM)
  },
  'a user who is locked': ({ user }) => lockUser(user.id, Date.now() + 60_000, SYSTEM),
}

const REQUESTS: Record<string, Asked> = {
  'POST': { method: 'POST' },
  'HEAD': { method: 'HEAD' },
  'an origin': { headers: { origin: 'https://app.example.org' } },
  'a language': { headers: { 'accept-language': 'de' } },
}

test.group('OpenID provider | userinfo, both ways', () => {
  test('are alike after {$self}')
    .with(Object.keys(CHANGES))
    .run(async ({ assert }, what) => {
      const given = await scene()
      const before = await answerOf(given.token)
      assert.equal(before.status, 200)
      await CHANGES[what](given)
      const answer = await answerOf(given.token)
      assert.deepEqual(answer, await throughLibrary(given.token))
    })

  test('are alike for the scope “{$self}”')
    .with(['openid', 'openid email', 'profile openid', 'openid offline_access email profile'])
    .run(async ({ assert }, scope) => {
      const { token, user } = await scene({ scope })
      await describe(user)
      const answer = await answerOf(token)
      assert.equal(answer.status, 200)
      assert.deepEqual(answer, await throughLibrary(token))
    })

  test('are alike for a request with {$self}')
    .with(Object.keys(REQUESTS))
    .run(async ({ assert }, what) => {
      const asked = REQUESTS[what]
      const { token } = await scene()
      assert.deepEqual(await answerOf(token, asked), await throughLibrary(token, asked))
    })

  test('are alike for {what}')
    .with([
      { what: 'a token that is none', change: () => 'gho_none' },
      { what: 'a token with another end', change: (token: string) => `${token.slice(0, -4)}AAAA` },
      { what: 'a token of another kind', change: (token: string) => token.slice(4) },
    ])
    .run(async ({ assert }, { change }) => {
      const { token: good } = await scene()
      const token = change(good)
      const answer = await answerOf(token)
      assert.equal(answer.status, 401)
      assert.deepEqual(answer, await throughLibrary(token))
    })

  test('are alike once administrators need two factors', async ({ assert, cleanup }) => {
    const { token } = await scene({ user: createAdmin() })
    mfa.isRequiredOfAdmins = true
    cleanup(() => {
      mfa.isRequiredOfAdmins = false
    })
    assert.deepEqual(await answerOf(token), await throughLibrary(token))
  })

  test('a token with requested claims goes through the library', async ({ assert }) => {
    const app = await application({ kind: 'first_party' })
    const claims = JSON.stringify({ userinfo: { email: null } })
    const browser = await browserOf(await createUser())
    const { access_token: token } = await tokensOf(app, browser, { scope: 'openid', claims })
    const answer = await answerOf(token)
    assert.property(JSON.parse(answer.body), 'email')
    assert.deepEqual(answer, await throughLibrary(token))
  })
})
