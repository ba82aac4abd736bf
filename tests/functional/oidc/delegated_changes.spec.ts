import { test } from '@japa/runner'
import User from '#models/user'
import { listAuditEvents } from '#audit/trail/query'
import { applicationOf, serviceApplication } from '#tests/support/delegates'
import {
  createAdmin,
  createUser,
  keyOf,
  PASSWORD,
  signedIn,
  someEmail,
} from '#tests/support/fixtures'
import { browserOf } from '#tests/support/oidc'
import type { ApiClient } from '@japa/api-client'

/* An application has the rights of an API key, even if its user has signed in just minutes ago. */

type Headers = Record<string, string>

const LIMITED: Record<string, (client: ApiClient, headers: Headers) => Promise<any>> = {
  'the address of a user': async (client, headers) => {
    const { id } = await createUser()
    return client.put(`/users/${id}`).headers(headers).json({ email: someEmail() })
  },
  'the verification of a user': async (client, headers) => {
    const { id } = await createUser({ isVerified: false })
    return client.put(`/users/${id}`).headers(headers).json({ emailVerified: true })
  },
  'the role of a user': async (client, headers) => {
    const { id } = await createUser()
    return client.put(`/users/${id}`).headers(headers).json({ role: 'Admin' })
  },
  'a new Admin': async (client, headers) => {
    const admin = { email: someEmail(), password: PASSWORD, role: 'Admin' }
    return client.post('/users').headers(headers).json(admin)
  },
  'a new verified user': async (client, headers) => {
    const user = { email: someEmail(), password: PASSWORD, emailVerified: true }
    return client.post('/users').headers(headers).json(user)
  },
  'disabling an Admin': async (client, headers) => {
    const { id } = await createAdmin()
    return client.put(`/users/${id}`).headers(headers).json({ disabled: true })
  },
  'locking an Admin': async (client, headers) => {
    const { id } = await createAdmin()
    return client.post(`/users/${id}/lock`).headers(headers)
  },
  'deleting an Admin': async (client, headers) => {
    const { id } = await createAdmin()
    return client.delete(`/users/${id}`).headers(headers)
  },
}

const CALLERS: Record<string, (admin: User) => Promise<{ headers: Headers }>> = {
  'an application': (admin) => applicationOf(admin),
  'client credentials': () => serviceApplication(),
}

const CELLS = Object.keys(LIMITED).flatMap((change) =>
  Object.keys(CALLERS).map((caller) => ({ change, caller }))
)

test.group('Delegated changes | limits', () => {
  test('{change} is refused to {caller}')
    .with(CELLS)
    .run(async ({ client, assert }, { change, caller }) => {
      const { headers } = await CALLERS[caller](await createAdmin())
      const response = await LIMITED[change](client, headers)
      assert.oneOf(response.body().code, ['E_INSUFFICIENT_SCOPE', 'E_RECENT_LOGIN_REQUIRED'])
    })

  test('the password of the user is no proof of an application', async ({ client, assert }) => {
    const admin = await createAdmin()
    const { headers } = await applicationOf(admin)
    const { id } = await createAdmin()
    const proof = { currentPassword: PASSWORD }
    const response = await client.delete(`/users/${id}`).headers(headers).json(proof)
    response.assertStatus(403)
    assert.isNotNull(await User.find(id))
  })
})

test.group('Delegated changes | trail', () => {
  test('an event names the application and its user', async ({ client, assert }) => {
    const admin = await createAdmin()
    const { headers, clientId } = await applicationOf(admin)
    const user = await createUser()
    await client.put(`/users/${user.id}`).headers(headers).json({ username: 'Eve' })
    const page = { page: 1, limit: 1 }
    const { events } = await listAuditEvents({ target: user.id }, page)
    assert.equal(events[0].actor, `client:${clientId}`)
    assert.equal(events[0].actorId, admin.id)
    const ofClient = await listAuditEvents({ actor: `client:${clientId}` }, page)
    const ofUser = await listAuditEvents({ actor: admin.id, target: user.id }, page)
    assert.deepEqual([ofClient.total, ofUser.total], [1, 1])
  })

  test('the console names {what}')
    .with([
      { what: 'the application', text: 'by the application Grafana' },
      { what: 'the API key', text: 'by the API key “Nightly report”' },
    ])
    .run(async ({ client, assert }, { what, text }) => {
      const admin = await createAdmin()
      const isClient = what === 'the application'
      const { headers } = isClient
        ? await applicationOf(admin)
        : await keyOf(admin, ['users:write'])
      const user = await createUser()
      await client.put(`/users/${user.id}`).headers(headers).json({ username: 'Eve' })
      const browser = await browserOf(admin)
      const { html } = await browser.open(
        new URL(`/admin/audit?account=${user.id}`, browser.issuer)
      )
      assert.include(html, text)
    })

  test('the API lists what a client did by its name', async ({ client }) => {
    const admin = await createAdmin()
    const { headers, clientId } = await applicationOf(admin)
    const user = await createUser()
    await client.put(`/users/${user.id}`).headers(headers).json({ username: 'Eve' })
    const { headers: own } = await signedIn(client, admin)
    const listed = await client
      .get('/audit-events')
      .qs({ actor: `client:${clientId}` })
      .headers(own)
    listed.assertBodyContains({ data: [{ targetId: user.id }] })
  })
})
