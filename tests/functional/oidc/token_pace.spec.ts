import { test } from '@japa/runner'
import db from '@adonisjs/lucid/services/db'
import limits from '#config/limits'
import settings from '#config/oidc'
import { SYSTEM } from '#audit/actor'
import { listSessions } from '#auth/sessions/sessions'
import { createGroup, updateGroup } from '#groups/groups'
import { deleteClient, updateClient } from '#oidc/clients/clients'
import { addServiceAccount } from '#users/service_accounts'
import { bearer, createUser, signedIn } from '#tests/support/fixtures'
import { holdTransaction } from '#tests/support/held_transaction'
import { setLimit } from '#tests/support/limits'
import { application, browserOf, REDIRECT, tokensOf } from '#tests/support/oidc'
import { post } from './attacker.ts'
import type { Application } from '#tests/support/oidc'

/* What a client, or a user of one, can make the server store and record with tokens. */

function credentialsOf({ client, clientSecret }: Application) {
  return { client_id: client.clientId, client_secret: clientSecret! }
}

/** A token with requested claims is stored. */
const REQUESTED = { claims: JSON.stringify({ userinfo: { email: null } }) }

const SERVICE = { resource: 'https://wiki.example.org' }

async function eventsOf(userId: string, action: string) {
  const rows = await db.from('audit_events').where({ action, target_id: userId })
  return rows.length
}

test.group('Refresh by a confidential client', () => {
  test('number {number} in a window, for {what}, is answered {status}')
    .with([
      { number: 2, what: 'requested claims', asked: REQUESTED, status: 200 },
      { number: 3, what: 'requested claims', asked: REQUESTED, status: 429 },
      { number: 3, what: 'claims of its scopes', asked: {}, status: 200 },
      { number: 3, what: 'a service', asked: SERVICE, status: 200 },
    ])
    .run(async ({ assert }, { number, asked, status }) => {
      const app = await application({ kind: 'first_party' })
      const browser = await browserOf(await createUser())
      const scope = 'openid offline_access'
      const tokens = await tokensOf(app, browser, { scope, ...asked })
      setLimit(limits.refresh, 2)
      const token = { grant_type: 'refresh_token', refresh_token: tokens.refresh_token! }
      let answer!: Awaited<ReturnType<typeof post>>
      for (let count = 1; count <= number; count++) {
        answer = await post('/oauth/token', { ...credentialsOf(app), ...token })
      }
      assert.equal(answer.status, status)
      if (status === 429) assert.equal(answer.body.error, 'slow_down')
    })
})

test.group('Revocation | number', () => {
  test('token {number} of a session, {what}, is answered {status} to the client')
    .with([
      { number: 2, what: 'opaque', resource: undefined, status: 200 },
      { number: 3, what: 'opaque', resource: undefined, status: 429 },
      { number: 2, what: 'JWT', resource: settings.issuer, status: 200 },
      { number: 3, what: 'JWT', resource: settings.issuer, status: 429 },
    ])
    .run(async ({ assert }, { number, resource, status }) => {
      const [app, user] = [await application({ kind: 'first_party' }), await createUser()]
      const browser = await browserOf(user)
      setLimit(limits.revocation, 2)
      let answer!: Awaited<ReturnType<typeof post>>
      for (let count = 1; count <= number; count++) {
        const parameters = { scope: 'openid', ...(resource && { resource }) }
        const { access_token: token } = await tokensOf(app, browser, parameters)
        answer = await post('/oauth/revoke', { ...credentialsOf(app), token })
      }
      assert.equal(answer.status, status)
      if (status === 429) assert.equal(answer.body.error, 'slow_down')
      assert.equal(await eventsOf(user.id, 'token.revoked'), 2)
    })

  test('a refresh token is revoked however many were', async ({ assert }) => {
    const [app, user] = [await application({ kind: 'first_party' }), await createUser()]
    const browser = await browserOf(user)
    setLimit(limits.revocation, 2)
    const ask = () => tokensOf(app, browser, { scope: 'openid offline_access' })
    const revoke = (token: string) => post('/oauth/revoke', { ...credentialsOf(app), token })
    for (let count = 1; count <= 3; count++) {
      const { access_token: token } = await ask()
      await revoke(token)
    }
    const { refresh_token: token } = await ask()
    const { status } = await revoke(token!)
    assert.equal(status, 200)
  })

  test('one token is revoked twice through the API, and then no more', async ({ client }) => {
    const user = await createUser()
    const { accessToken } = await signedIn(client, user)
    const { accessToken: other } = await signedIn(client, user)
    setLimit(limits.revocation, 2)
    for (const status of [200, 200, 429]) {
      const request = client.post('/auth/revoke').headers(bearer(other))
      const response = await request.json({ token: accessToken })
      response.assertStatus(status)
    }
  })
})

test.group('Sessions with applications | number', () => {
  test('session {number} of a user in a quarter of an hour starts: {starts}')
    .with([
      { number: 2, starts: true },
      { number: 3, starts: false },
    ])
    .run(async ({ assert }, { number, starts }) => {
      const [app, user] = [await application({ kind: 'first_party' }), await createUser()]
      const browser = await browserOf(user)
      setLimit(limits.newGrant, 2)
      const ask = async () => {
        const tokens = await tokensOf(app, browser, { scope: 'openid offline_access' })
        const token = tokens.refresh_token!
        await post('/oauth/revoke', { ...credentialsOf(app), token })
      }
      for (let count = 1; count < number; count++) await ask()
      if (starts) await assert.doesNotReject(ask)
      else await assert.rejects(ask)
      assert.equal(await eventsOf(user.id, 'application.authorized'), 2)
    })

  test('with its services: number {number} is given: {isGiven}')
    .with([
      { number: 2, isGiven: true },
      { number: 3, isGiven: true },
      { number: 4, isGiven: false },
    ])
    .run(async ({ assert }, { number, isGiven }) => {
      const [app, user] = [await application({ kind: 'first_party' }), await createUser()]
      const browser = await browserOf(user)
      setLimit(limits.newGrant, 3)
      const ask = (resource: string) => tokensOf(app, browser, { scope: 'openid', resource })
      for (let count = 1; count < number; count++) await ask(`${SERVICE.resource}/${count}`)
      const last = () => ask(`${SERVICE.resource}/${number}`)
      if (isGiven) await assert.doesNotReject(last)
      else await assert.rejects(last)
      await assert.doesNotReject(() => ask(`${SERVICE.resource}/1`))
      assert.equal(await eventsOf(user.id, 'application.authorized'), Math.min(number, 3))
    })
})

test.group('Service account | its client changes meanwhile', () => {
  type Change = (app: Application) => Promise<unknown>
  const changes: { what: string; change: Change }[] = [
    { what: 'deleted', change: ({ client }) => deleteClient(client.id, SYSTEM) },
    {
      what: 'given another account',
      change: async ({ client }) => {
        const { id } = await addServiceAccount({ username: 'Other' }, SYSTEM)
        return updateClient(client.id, { serviceAccountId: id }, SYSTEM)
      },
    },
    {
      what: 'taken off the account',
      change: ({ client }) => {
        const changed = { serviceAccountId: null, redirectUris: [REDIRECT] }
        const grantTypes = ['authorization_code' as const]
        return updateClient(client.id, { ...changed, grantTypes }, SYSTEM)
      },
    },
  ]

  test('a client that is {what} gets no token, and no session')
    .with(changes)
    .run(async ({ assert }, { change }) => {
      const account = await addServiceAccount({ username: 'Reports' }, SYSTEM)
      const grantTypes = ['client_credentials' as const]
      const given = { grantTypes, redirectUris: [], serviceAccountId: account.id }
      const app = await application(given)
      const { begun, release } = holdTransaction()
      const asked = post('/oauth/token', {
        ...credentialsOf(app),
        grant_type: 'client_credentials',
      })
      await begun
      await change(app)
      release()
      const { status, body } = await asked
      assert.deepEqual([status, body.error], [400, 'unauthorized_client'])
      assert.lengthOf(await listSessions(account.id), 0)
    })
})

test.group('Client credentials | changes of the configuration', () => {
  test('they end no session that goes on', async ({ assert }) => {
    const account = await addServiceAccount({ username: 'Reports' }, SYSTEM)
    const grantTypes = ['client_credentials' as const]
    const app = await application({
      grantTypes,
      redirectUris: [],
      serviceAccountId: account.id,
    })
    setLimit(limits.serviceSession, 1)
    const group = await createGroup({ name: `Staff ${account.id}` }, SYSTEM)
    const answers: [number, string | null][] = []
    for (const title of ['One', 'Two', 'Three']) {
      const asked = { ...credentialsOf(app), grant_type: 'client_credentials' }
      const { status, sent } = await post('/oauth/token', asked)
      answers.push([status, sent.get('retry-after')])
      await updateGroup(group.id, { title }, SYSTEM)
    }
    const given = [200, null]
    assert.deepEqual(answers, [given, given, given])
    assert.lengthOf(await listSessions(account.id), 1)
  })
})
