import { freezeTime, test, timeTravel } from '@japa/runner'
import db from '@adonisjs/lucid/services/db'
import * as jose from 'jose'
import settings from '#config/oidc'
import { LOGOUT_QUEUE } from '#config/queue'
import { SYSTEM } from '#audit/actor'
import { endAllSessionsAs } from '#auth/sessions/end_session'
import { createClient, deleteClient, updateClient } from '#oidc/clients/clients'
import { finishDeletion } from '#oidc/clients/deletion/finish_deletion'
import { addServiceAccount } from '#users/service_accounts'
import { createUser } from '#tests/support/fixtures'
import { logoutListener, sendLogoutTokens } from '#tests/support/logouts'
import { application, browserOf, throughProxy, tokensOf } from '#tests/support/oidc'
import * as oidc from 'openid-client'
import type { TestContext } from '@japa/runner/core'

const EVENT = 'http://schemas.openid.net/event/backchannel-logout'

type Answer = Parameters<typeof logoutListener>[0]

/** A person whose session with an application has ended. The application was not told of it yet. */
async function ended({ cleanup }: TestContext, answer: Answer = {}) {
  const listener = await logoutListener(answer)
  cleanup(listener.close)
  const user = await createUser()
  const app = await application({ kind: 'first_party', backchannelLogoutUri: listener.uri })
  const tokens = await tokensOf(app, await browserOf(user))
  await endAllSessionsAs(user.id, SYSTEM)
  return { user, app, listener, sessionId: tokens.claims()!.sid }
}

const waiting = () => db.from('queue_jobs').where({ queue: LOGOUT_QUEUE })

test.group('Back-channel logout | how it is told', (group) => {
  group.each.setup(async () => {
    await waiting().delete()
  })

  test('the token is verified by the published keys', async (context) => {
    const { user, app, listener, sessionId } = await ended(context)
    await sendLogoutTokens()
    const response = await throughProxy(`${settings.issuer}/.well-known/jwks.json`)
    const keys = jose.createLocalJWKSet((await response.json()) as jose.JSONWebKeySet)
    const { clientId: audience } = app.client
    const expected = { issuer: settings.issuer, audience, typ: 'logout+jwt' }
    const { payload } = await jose.jwtVerify(listener.told[0], keys, expected)
    context.assert.containsSubset(payload, { sub: user.id, sid: sessionId })
    context.assert.deepEqual(payload.events, { [EVENT]: {} })
    context.assert.equal(payload.exp! - payload.iat!, 120)
    context.assert.notProperty(payload, 'nonce')
    context.assert.isString(payload.jti)
  })

  test('an application that is down hears the same message later', async (context) => {
    freezeTime()
    const { listener } = await ended(context, { status: 503 })
    await sendLogoutTokens()
    listener.answer.status = 204
    await sendLogoutTokens()
    const heard = [listener.told.length]
    timeTravel(settings.logouts.retries.firstDelayMs + 1)
    await sendLogoutTokens()
    heard.push(listener.told.length)
    const [first, second] = listener.claims()
    context.assert.deepEqual(heard, [1, 2])
    context.assert.equal(first.jti, second.jti)
    context.assert.lengthOf(await waiting(), 0)
  })

  test('one that never answers is given up after eleven tries', async (context) => {
    freezeTime()
    const { listener } = await ended(context, { status: 500 })
    for (let count = 0; count < 13; count++) {
      await sendLogoutTokens()
      timeTravel(settings.logouts.retries.longestDelayMs + 1)
    }
    context.assert.lengthOf(listener.told, 1 + settings.logouts.retries.max)
    context.assert.lengthOf(await waiting(), 0)
  })

  test('one that refuses the message is told no more', async (context) => {
    freezeTime()
    const { listener } = await ended(context, { status: 400 })
    await sendLogoutTokens()
    timeTravel(settings.logouts.retries.longestDelayMs)
    await sendLogoutTokens()
    context.assert.lengthOf(listener.told, 1)
  })

  test('a redirect is not followed', async (context) => {
    const { listener } = await ended(context, { status: 307 })
    await sendLogoutTokens()
    context.assert.lengthOf(listener.told, 1)
    context.assert.lengthOf(await waiting(), 1)
  })

  test('a slow application delays no sign-out and is retried', async (context) => {
    const { timeoutMs } = settings.logouts
    settings.logouts.timeoutMs = 200
    context.cleanup(() => void (settings.logouts.timeoutMs = timeoutMs))
    const { listener } = await ended(context, { isSlow: true })
    context.assert.isEmpty(listener.told)
    await sendLogoutTokens()
    context.assert.lengthOf(listener.told, 1)
    context.assert.lengthOf(await waiting(), 1)
  })

  test('an address that was corrected meanwhile is told', async (context) => {
    const { app, listener } = await ended(context)
    const other = await logoutListener()
    context.cleanup(other.close)
    await updateClient(app.client.id, { backchannelLogoutUri: other.uri }, SYSTEM)
    await sendLogoutTokens()
    context.assert.deepEqual([listener.told.length, other.told.length], [0, 1])
  })

  test('another client that got its id is told nothing', async (context) => {
    const { app, listener } = await ended(context)
    const other = await logoutListener()
    context.cleanup(other.close)
    await deleteClient(app.client.id, SYSTEM)
    await finishDeletion(app.client.clientId)
    const { clientId, redirectUris } = app.client
    const address = { backchannelLogoutUri: other.uri }
    await createClient({ name: 'Other', clientId, redirectUris, ...address }, SYSTEM)
    await sendLogoutTokens()
    context.assert.deepEqual([listener.told.length, other.told.length], [1, 0])
  })

  test('a client without an address queues nothing', async ({ assert }) => {
    const user = await createUser()
    await tokensOf(await application({ kind: 'first_party' }), await browserOf(user))
    await endAllSessionsAs(user.id, SYSTEM)
    assert.lengthOf(await waiting(), 0)
  })

  test('a service account queues no logout message', async ({ assert }) => {
    const { id: serviceAccountId } = await addServiceAccount({ username: 'Reports' }, SYSTEM)
    const grantTypes = ['client_credentials' as const]
    const uris = { redirectUris: [], backchannelLogoutUri: 'http://127.0.0.1:8009/logout' }
    const app = await application({ ...uris, grantTypes, serviceAccountId })
    await oidc.clientCredentialsGrant(app.config, { resource: settings.issuer })
    await endAllSessionsAs(serviceAccountId, SYSTEM)
    assert.lengthOf(await waiting(), 0)
  })
})
