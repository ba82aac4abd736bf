import { randomUUID } from 'node:crypto'
import { test } from '@japa/runner'
import * as oidc from 'openid-client'
import { CLIENT_QUEUE } from '#config/queue'
import settings from '#config/oidc'
import { SYSTEM } from '#audit/actor'
import { listSessions } from '#auth/sessions/sessions'
import store from '#auth/store/service'
import { updateClient } from '#oidc/clients/clients'
import { findClientById } from '#oidc/clients/client_rows'
import { createGroup, deleteGroup, updateGroup } from '#groups/groups'
import { addMember, removeMember } from '#groups/members'
import { drain } from '#tests/support/mail'
import { bearer, createAdmin, createUser, keyOf, signedIn } from '#tests/support/fixtures'
import {
  application,
  authorizationRequest,
  browserOf,
  tokensOf,
  type Application,
  type Browser,
} from '#tests/support/oidc'
import { serviceApplication } from '#tests/support/delegates'
import { logoutListener, sendLogoutTokens } from '#tests/support/logouts'
import { recordsWhere } from '#tests/support/trail'
import { eventsThatEnd } from '#tests/support/webhooks'
import type { ApiClient } from '@japa/api-client'
import type User from '#models/user'

const FIRST_PARTY = { kind: 'first_party' as const }
const INTERACTION = /^\/oauth\/interaction\//

const someGroup = () => createGroup({ name: `staff-${randomUUID()}` }, SYSTEM)

async function memberOf(groupId: string) {
  const user = await createUser()
  await addMember(user.id, groupId, SYSTEM)
  return user
}

async function restricted(more: object = {}) {
  const group = await someGroup()
  const rule = { access: 'groups' as const, allowedGroups: [group.name] }
  return { group, app: await application({ ...FIRST_PARTY, ...rule, ...more }) }
}

async function openAt(browser: Browser, app: Application) {
  const { url } = await authorizationRequest(app)
  return browser.open(url)
}

async function clientSessions({ id }: User) {
  const sessions = await listSessions(id)
  return sessions.filter(({ clientId }) => clientId !== null)
}

async function clientSessionsOf(user: User) {
  const { length } = await clientSessions(user)
  return length
}

test.group('Access | page', () => {
  test('who has no access sees a page that leads back', async ({ assert }) => {
    const { app } = await restricted()
    const browser = await browserOf(await createUser())
    const page = await openAt(browser, app)
    assert.equal(page.response.status, 403)
    assert.include(page.html, 'You have no access to Grafana')
    const { url } = await browser.submit(page, INTERACTION, { decision: 'refuse' })
    assert.equal(url.searchParams.get('error'), 'access_denied')
  })

  test('an answer that allows leads to the same page', async ({ assert }) => {
    const { app } = await restricted()
    const user = await createUser()
    const browser = await browserOf(user)
    const page = await openAt(browser, app)
    const again = await browser.submit(page, INTERACTION, { decision: 'allow', user: user.id })
    assert.equal(again.response.status, 403)
    assert.include(again.html, 'You have no access to Grafana')
  })

  test('the page goes on once access is given', async ({ assert }) => {
    const { app, group } = await restricted()
    const user = await createUser()
    const browser = await browserOf(user)
    const page = await openAt(browser, app)
    await addMember(user.id, group.id, SYSTEM)
    const { url } = await browser.open(page.url)
    assert.isTrue(url.searchParams.has('code'))
  })

  test('prompt=none goes back at once', async ({ assert }) => {
    const { app } = await restricted()
    const browser = await browserOf(await createUser())
    const { url } = await authorizationRequest(app, { prompt: 'none' })
    const page = await browser.open(url)
    assert.equal(page.url.searchParams.get('error'), 'access_denied')
  })

  test('many tries are one event', async ({ assert }) => {
    const { app } = await restricted()
    const user = await createUser()
    const browser = await browserOf(user)
    const { url } = await authorizationRequest(app, { prompt: 'none' })
    for (let tries = 0; tries < 3; tries++) await browser.open(url)
    const events = await recordsWhere({ target_id: user.id, action: 'application.refused' })
    assert.lengthOf(events, 1)
    const { clientId } = app.client
    assert.containsSubset(events[0], { outcome: 'failure', details: { clientId } })
  })

  test('who lacks access sets no second factor up', async ({ assert }) => {
    const { app } = await restricted({ requireMfa: true })
    const browser = await browserOf(await createUser())
    const { html } = await openAt(browser, app)
    assert.include(html, 'You have no access to Grafana')
  })
})

test.group('Access | sessions', () => {
  test('end in the transaction that takes the user from the group', async ({ assert, cleanup }) => {
    const listener = await logoutListener()
    cleanup(listener.close)
    const { app, group } = await restricted({ backchannelLogoutUri: listener.uri })
    const open = await application(FIRST_PARTY)
    const user = await memberOf(group.id)
    const browser = await browserOf(user)
    for (const each of [app, open]) await tokensOf(each, browser)
    const sessions = await clientSessions(user)
    const { id } = sessions.find(({ clientId }) => clientId === app.client.clientId)!
    await removeMember(user.id, group.id, SYSTEM)
    assert.equal(await clientSessionsOf(user), 1)
    assert.deepEqual(await eventsThatEnd(id), ['group.member_removed'])
    await sendLogoutTokens()
    assert.deepEqual(
      listener.claims().map(({ sub }) => sub),
      [user.id]
    )
  })

  test('go on while another group lets the user in', async ({ assert }) => {
    const { app, group } = await restricted()
    const other = await someGroup()
    await updateClient(app.client.id, { allowedGroups: [group.name, other.name] }, SYSTEM)
    const user = await memberOf(group.id)
    await addMember(user.id, other.id, SYSTEM)
    await tokensOf(app, await browserOf(user))
    await removeMember(user.id, group.id, SYSTEM)
    assert.equal(await clientSessionsOf(user), 1)
  })

  test('of many end in batches after {event}')
    .with([{ event: 'the deletion of a group' }, { event: 'another rule' }])
    .run(async ({ assert }, { event }) => {
      const { app, group } = await restricted()
      const users = await Promise.all(Array.from({ length: 12 }, () => memberOf(group.id)))
      for (const user of users) await tokensOf(app, await browserOf(user))
      const sessions = await Promise.all(users.map(clientSessions))
      if (event === 'another rule') await updateClient(app.client.id, { allowedGroups: [] }, SYSTEM)
      else await deleteGroup(group.id, SYSTEM)
      await drain(CLIENT_QUEUE)
      const left = await Promise.all(users.map(clientSessionsOf))
      assert.deepEqual([...new Set(left)], [0])
      const told = await Promise.all(sessions.flat().map(({ id }) => eventsThatEnd(id)))
      assert.deepEqual(told, Array(12).fill(['session.ended']))
    })

  test('of a service account are not asked', async ({ client, assert }) => {
    const { app, headers } = await serviceApplication()
    await updateClient(app.client.id, { access: 'groups', requireMfa: true }, SYSTEM)
    await drain(CLIENT_QUEUE)
    const response = await client.get('/auth/profile').headers(headers)
    response.assertStatus(200)
    await oidc.clientCredentialsGrant(app.config, { resource: settings.issuer })
    assert.isNotNull(await findClientById(app.client.id))
  })
})

async function put(client: ApiClient, headers: Record<string, string>, id: string, body: object) {
  const response = await client.put(`/oauth-clients/${id}`).headers(headers).json(body)
  return { status: response.status(), body: response.body() }
}

test.group('Access | fields', () => {
  test('a new client lets everybody in, or as OIDC_ACCESS says', async ({ assert }) => {
    const { client } = await application()
    const { access, allowedGroups, requireMfa } = client
    assert.deepEqual([access, allowedGroups, requireMfa], ['everybody', [], false])
  })

  test('a group is named as it was written, whatever its case', async ({ client, assert }) => {
    const { headers } = await signedIn(client, await createAdmin())
    const { app, group } = await restricted()
    const names = [group.name.toUpperCase(), group.name]
    const { body } = await put(client, headers, app.client.id, { allowedGroups: names })
    assert.deepEqual(body.allowedGroups, [group.name])
  })

  test('the longest name of {what} opens an application')
    .with([
      { what: 'emoji', sign: '😀' },
      { what: 'Latin letters', sign: 'x' },
    ])
    .run(async ({ client, assert }, { sign }) => {
      const { headers } = await signedIn(client, await createAdmin())
      const name = randomUUID() + sign.repeat(128 - 36)
      await createGroup({ name }, SYSTEM)
      const { app } = await restricted()
      const { body } = await put(client, headers, app.client.id, { allowedGroups: [name] })
      assert.deepEqual(body.allowedGroups, [name])
    })

  test('another name of a group holds at once', async ({ client, assert }) => {
    const { headers } = await signedIn(client, await createAdmin())
    const { app, group } = await restricted()
    const { name } = await updateGroup(group.id, { name: `new-${randomUUID()}` }, SYSTEM)
    const response = await client.get(`/oauth-clients/${app.client.id}`).headers(headers)
    assert.deepEqual(response.body().allowedGroups, [name])
  })

  test('a deleted group is taken out, and lets in no user', async ({ assert }) => {
    const { app, group } = await restricted()
    await deleteGroup(group.id, SYSTEM)
    const { access, allowedGroups } = (await findClientById(app.client.id))!
    assert.deepEqual([access, allowedGroups], ['groups', []])
  })

  test('{what} is refused on its field')
    .with([
      { what: 'an unknown group', field: 'allowedGroups', value: ['no such group'] },
      { what: 'a text', field: 'allowedGroups', value: 'staff' },
      { what: 'a NUL', field: 'allowedGroups', value: ['a\0'] },
      { what: 'another access', field: 'access', value: 'nobody' },
      { what: 'a text for a switch', field: 'requireMfa', value: 'maybe' },
    ])
    .run(async ({ client, assert }, { field, value }) => {
      const { headers } = await signedIn(client, await createAdmin())
      const { app } = await restricted()
      const { status, body } = await put(client, headers, app.client.id, { [field]: value })
      assert.equal(status, 400)
      assert.isTrue(body.errors[0].field.startsWith(field))
    })

  test('a key sets {field} at no first party, and sends it back')
    .with([
      { field: 'access', value: 'everybody' },
      { field: 'allowedGroups', value: [] },
      { field: 'requireMfa', value: true },
    ])
    .run(async ({ client, assert }, { field, value }) => {
      const { headers } = await keyOf(await createAdmin(), ['clients:write'])
      const { app } = await restricted()
      const { client: before } = app
      const sent = { [field]: Reflect.get(before, field) }
      const [changed, sentBack] = [
        await put(client, headers, before.id, { [field]: value }),
        await put(client, headers, before.id, sent),
      ]
      assert.deepEqual([changed.status, changed.body.code], [403, 'E_INSUFFICIENT_SCOPE'])
      assert.equal(sentBack.status, 200)
    })

  test('a member of a group that opens an application needs a recent sign-in', async ({
    client,
    assert,
  }) => {
    const { group } = await restricted()
    const user = await createUser()
    const { headers } = await keyOf(await createAdmin(), ['groups:write'])
    const { accessToken } = await oldSession(client)
    const path = `/groups/${group.id}/members/${user.id}`
    const old = await client.put(path).headers(bearer(accessToken)).json({})
    const byKey = await client.put(path).headers(headers).json({})
    assert.deepEqual([old.status(), byKey.status()], [403, 204])
  })
})

/** Makes a session whose sign-in is no longer recent. */
async function oldSession(client: ApiClient) {
  const admin = await createAdmin()
  const { accessToken } = await signedIn(client, admin)
  const [session] = await listSessions(admin.id)
  const at = session.authenticatedAt - 3_600_000
  const key = { userId: admin.id, sessionId: session.id }
  await store.reauthenticateSession(key, { amr: session.amr, at })
  return { accessToken }
}

test.group('Access | preview', () => {
  test('tells whether, by which group, and with which claims', async ({ client, assert }) => {
    const { headers } = await signedIn(client, await createAdmin())
    const { app, group } = await restricted({ claims: { env: '=x' } })
    const preview = async (user: User) => {
      const request = client.get(`/oauth-clients/${app.client.id}/preview`).headers(headers)
      const response = await request.qs({ user: user.id })
      return response.body()
    }
    const member = await memberOf(group.id)
    const [inside, outside] = [await preview(member), await preview(await createUser())]
    assert.containsSubset(inside, { allowed: true, group: group.name })
    assert.containsSubset(inside.claims, { sub: member.id, email: member.email, env: 'x' })
    assert.containsSubset(outside, { allowed: false, group: null })
    /** A first-party client has the scope without requesting it. */
    assert.deepEqual(inside.claims.groups, [group.name])
  })

  test('{what}: {status}')
    .with([
      { what: 'no user', query: {}, status: 400 },
      { what: 'a text for a user', query: { user: 'ada' }, status: 400 },
      { what: 'a user who does not exist', query: { user: randomUUID() }, status: 404 },
    ])
    .run(async ({ client }, { query, status }) => {
      const { headers } = await signedIn(client, await createAdmin())
      const { app } = await restricted()
      const request = client.get(`/oauth-clients/${app.client.id}/preview`).headers(headers)
      const response = await request.qs(query)
      response.assertStatus(status)
    })
})
