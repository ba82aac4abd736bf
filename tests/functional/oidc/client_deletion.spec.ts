import { test } from '@japa/runner'
import * as oidc from 'openid-client'
import { v7 as uuidv7 } from 'uuid'
import db from '@adonisjs/lucid/services/db'
import settings from '#config/oidc'
import { CLIENT_QUEUE, LOGOUT_QUEUE } from '#config/queue'
import { SYSTEM } from '#audit/actor'
import { addSession, listSessions } from '#auth/sessions/sessions'
import { forgetDeletedClient, noteDeletedClient } from '#auth/tokens/deleted_clients'
import { newClientSession } from '#oidc/grants/client_session'
import { deleteClient } from '#oidc/clients/clients'
import { findClient } from '#oidc/clients/client_rows'
import { introspect } from '#oidc/tokens/introspection'
import { upsertRecord } from '#oidc/records/record_rows'
import { addServiceAccount } from '#users/service_accounts'
import { apply } from '#tests/support/configuration'
import { bearer, createUser } from '#tests/support/fixtures'
import { drain } from '#tests/support/mail'
import { application, browserOf, tokensOf } from '#tests/support/oidc'
import { toldOf } from '#tests/support/webhooks'

const SESSIONS = 60
const DEVICE = { deviceName: 'Grafana', ip: '203.0.113.9', userAgent: null }
const PROOF = { method: 'password', amr: ['pwd'], authenticatedAt: 1 }

/** Adds a session with a client as its grant stores it, with a new user and a consent. */
async function addGrant(clientId: string) {
  const { id: userId } = await createUser({ password: null })
  const session = newClientSession({ userId, clientId, ...DEVICE, ...PROOF })
  await addSession(session)
  const columns = { grantId: session.id, clientId, userId }
  const content = { payload: '{}', expiresAt: session.expiresAt, ...columns }
  await upsertRecord({ kind: 'Grant', id: session.id }, content)
  const consent = { id: uuidv7(), user_id: userId, client_id: clientId }
  await db.table('oauth_consents').insert({ ...consent, created_at: 1, updated_at: 1 })
  return userId
}

/** Deletes a client that has many sessions. */
async function deleted() {
  const uris = {
    kind: 'third_party' as const,
    backchannelLogoutUri: 'http://127.0.0.1:8009/logout',
  }
  const { client } = await application(uris)
  const users: string[] = []
  for (let count = 0; count < SESSIONS; count++) users.push(await addGrant(client.clientId))
  await deleteClient(client.id, SYSTEM)
  return { client, users }
}

/** Returns the rows that remain of a deleted client. */
async function leftOf(clientId: string, users: string[]) {
  const own = { client_id: clientId }
  const sessions = await Promise.all(users.map((id) => listSessions(id)))
  const records = await db.from('oauth_records').where(own)
  const consents = await db.from('oauth_consents').where(own)
  const notes = await db.from('client_deletions').where(own)
  return [sessions.flat().length, records.length, consents.length, notes.length]
}

const waiting = (queue: string) => db.from('queue_jobs').where({ queue })

test.group('Deletion of a client | many sessions', (group) => {
  group.each.setup(async () => {
    await waiting(CLIENT_QUEUE).delete()
    await waiting(LOGOUT_QUEUE).delete()
  })

  test('the request ends some and the job the others', async ({ assert }) => {
    const { client, users } = await deleted()
    const [left] = await leftOf(client.clientId, users)
    assert.isAbove(left, 0)
    assert.lengthOf(await waiting(CLIENT_QUEUE), 1)
    await drain(CLIENT_QUEUE)
    assert.deepEqual(await leftOf(client.clientId, users), [0, 0, 0, 0])
    assert.lengthOf(await waiting(CLIENT_QUEUE), 0)
  })

  test('the application is told of each', async ({ assert }) => {
    await deleted()
    await drain(CLIENT_QUEUE)
    assert.lengthOf(await waiting(LOGOUT_QUEUE), SESSIONS)
  })

  test('one time stands for all in what webhooks tell', async ({ assert }) => {
    const { client } = await deleted()
    const action = { action: 'client.deleted' }
    const row = await db.from('audit_events').where(action).orderBy('id', 'desc').first()
    const { data } = (await toldOf(row))!
    const { clientId } = client
    assert.containSubset(data, { client: { clientId }, scope: { clientId } })
    assert.isAtMost(Date.parse(data.scope!.before), Date.now())
    assert.isUndefined(data.sessionIds)
  })

  test('others are answered between two users', async ({ assert }) => {
    await deleted()
    let [turns, isWorking] = [0, true]
    const turn = () => {
      turns++
      if (isWorking) setImmediate(turn)
    }
    setImmediate(turn)
    await drain(CLIENT_QUEUE)
    isWorking = false
    assert.isAtLeast(turns, SESSIONS / 2)
  })

  test('a deletion that fails midway goes on later', async ({ assert }) => {
    const { client, users } = await deleted()
    await waiting(CLIENT_QUEUE).update({ status: 'active', worker_id: 'killed', acquired_at: 1 })
    await drain(CLIENT_QUEUE)
    assert.deepEqual(await leftOf(client.clientId, users), [0, 0, 0, 0])
  })

  test('a configuration file that names the client anew ends it first', async ({ assert }) => {
    const { client, users } = await deleted()
    const entry = `{ clientId: ${client.clientId}, redirectUris: [https://a.example.org] }`
    await apply(`clients: [${entry}]`)
    assert.deepEqual(await leftOf(client.clientId, users), [0, 0, 0, 0])
    const made = await findClient(client.clientId)
    assert.notEqual(made!.id, client.id)
  })
})

/** Makes a user who is signed in to an application, and returns the tokens of the application. */
async function authorized(parameters: Record<string, string> = {}) {
  const user = await createUser()
  const app = await application({ kind: 'first_party' })
  const tokens = await tokensOf(app, await browserOf(user), parameters)
  return { user, app, tokens, clientId: app.client.clientId }
}

/** Commits what a deletion commits before its job starts. */
function note(clientId: string) {
  return db.transaction((trx) => noteDeletedClient({ clientId, backchannelLogoutUri: null }, trx))
}

test.group('Deletion of a client | from its commit', () => {
  test('the API refuses its tokens', async ({ client, assert }) => {
    const { tokens, clientId } = await authorized({ resource: settings.issuer })
    const headers = bearer(tokens.access_token)
    const before = await client.get('/auth/profile').headers(headers)
    await note(clientId)
    const refused = await client.get('/auth/profile').headers(headers)
    assert.deepEqual([before.status(), refused.status()], [200, 401])
    await forgetDeletedClient(clientId)
  })

  test('introspection calls its tokens inactive', async ({ assert }) => {
    const [opaque, ofApi] = [await authorized(), await authorized({ resource: settings.issuer })]
    for (const { tokens, clientId, app } of [opaque, ofApi]) {
      const before = await introspect(tokens.access_token, app.client)
      await note(clientId)
      const after = await introspect(tokens.access_token, app.client)
      assert.deepEqual([before.active, after.active], [true, false])
      await forgetDeletedClient(clientId)
    }
  })

  test('userinfo refuses its tokens', async ({ assert }) => {
    const { user, app, tokens, clientId } = await authorized()
    await note(clientId)
    await assert.rejects(() => oidc.fetchUserInfo(app.config, tokens.access_token, user.id))
    await forgetDeletedClient(clientId)
  })

  test('its refresh tokens are refused', async ({ assert }) => {
    const { app, tokens, clientId } = await authorized({ scope: 'openid offline_access' })
    assert.isString(tokens.refresh_token)
    await note(clientId)
    await assert.rejects(() => oidc.refreshTokenGrant(app.config, tokens.refresh_token!))
    await forgetDeletedClient(clientId)
  })

  test('no session with it starts', async ({ assert }) => {
    const { user, app, clientId } = await authorized()
    await note(clientId)
    await assert.rejects(async () => tokensOf(app, await browserOf(user)))
    await forgetDeletedClient(clientId)
  })

  test('a service account acts by it no longer', async ({ client, assert }) => {
    const account = await addServiceAccount({ username: 'Reports' }, SYSTEM)
    const grantTypes = ['client_credentials' as const]
    const scopes = ['profile:read' as const]
    const own = { redirectUris: [], scopes, grantTypes, serviceAccountId: account.id }
    const app = await application(own)
    const given = { resource: settings.issuer, scope: 'profile:read' }
    const tokens = await oidc.clientCredentialsGrant(app.config, given)
    const headers = bearer(tokens.access_token)
    const before = await client.get('/auth/profile').headers(headers)
    await note(app.client.clientId)
    const refused = await client.get('/auth/profile').headers(headers)
    assert.deepEqual([before.status(), refused.status()], [200, 401])
    await forgetDeletedClient(app.client.clientId)
    await deleteClient(app.client.id, SYSTEM)
    const ended = await client.get('/auth/profile').headers(headers)
    assert.equal(ended.status(), 401)
  })
})
