import { test } from '@japa/runner'
import db from '@adonisjs/lucid/services/db'
import { SYSTEM } from '#audit/actor'
import User from '#models/user'
import { rotateWebhookSecret } from '#webhooks/endpoints'
import { secretsOf } from '#webhooks/webhook'
import { findWebhookRow } from '#webhooks/webhook_rows'
import { bearer, createAdmin, PASSWORD, someEmail } from '#tests/support/fixtures'
import { newWebhook, removeWebhooks, silenceMails, someUrl } from '#tests/support/webhook_endpoints'
import { htmlOf, person } from '../account/person.ts'

const [CREATE, INVITE] = ['/admin/users/create', '/admin/users/invite']
const SERVICE = '/admin/users/create-service'

interface Sent {
  path: string
  action: string
  fields: Record<string, string>
}

/** Opens the form of one page, which sends the same token each time. */
async function openForm({ path, action, fields }: Sent) {
  const { browser } = await person({ user: await createAdmin() })
  const page = await htmlOf(browser.request(path))
  const formToken = /name="formToken" value="([^"]+)"/.exec(page)![1]
  const send = (given: object = {}) =>
    browser.submit(path, { formToken, ...fields, ...given, password: PASSWORD }, action)
  /** Returns the secret on the page to which the answer redirects. */
  const shown = async (pattern: RegExp, given: object = {}) => {
    const { headers } = await send(given)
    const html = await htmlOf(browser.request(headers.get('location')!))
    return pattern.exec(html)?.[0] ?? null
  }
  return { send, shown }
}

/** Sends one page's form, then twice with other values, and returns the answers. */
async function sendTwice(sent: Sent, otherwise: Record<string, string>) {
  const { send } = await openForm(sent)
  const answers = [await send({}), await send(otherwise), await send(otherwise)]
  return answers.map(({ status, headers }) => ({ status, to: headers.get('location') }))
}

test.group('Console | a form that is sent again with another address', () => {
  test('{path} creates a second user once')
    .with([
      { path: CREATE, action: '/admin/users' },
      { path: INVITE, action: INVITE },
    ])
    .run(async ({ assert }, { path, action }) => {
      const [one, other] = [someEmail(), someEmail()]
      const fields = { email: one, username: 'Ada', role: 'User' }
      const answers = await sendTwice({ path, action, fields }, { email: other })
      const first = await User.findByOrFail('email', one)
      const second = await User.findByOrFail('email', other)
      const users = [first, second, second]
      assert.deepEqual(
        answers,
        users.map(({ id }) => ({ status: 303, to: `/admin/users/${id}` }))
      )
    })

  test('with another name creates a second service account', async ({ assert }) => {
    const [one, other] = [`A ${someEmail()}`, `B ${someEmail()}`]
    const fields = { username: one, role: 'User' }
    const sent = { path: SERVICE, action: SERVICE, fields }
    const [first, second, third] = await sendTwice(sent, { username: other })
    assert.lengthOf(await User.query().whereIn('username', [one, other]), 2)
    assert.notEqual(first.to, second.to)
    assert.deepEqual(second, third)
  })
})

test.group('Console | a webhook form that is sent again with another address', (group) => {
  silenceMails(group)
  group.each.teardown(removeWebhooks)

  /** Returns the webhook to which a page belongs. */
  async function madeBy({ to }: { to: string | null }) {
    const row = await findWebhookRow(to!.split('/').at(-1)!)
    return { url: row!.url, secrets: secretsOf(row!) }
  }

  test('creates a second webhook with another secret', async ({ assert }) => {
    const [one, other] = [someUrl(), someUrl()]
    const path = '/admin/webhooks'
    const sent = { path: `${path}/create`, action: path, fields: { 'url': one, 'events[]': '*' } }
    const [first, second, third] = await sendTwice(sent, { url: other })
    const [made, next] = [await madeBy(first), await madeBy(second)]
    assert.deepEqual([made.url, next.url], [one, other])
    assert.notDeepEqual(made.secrets, next.secrets)
    assert.deepEqual(second, third)
  })
})

const WEBHOOK_SECRET = /whsec_[\w+/]+=*/

test.group('Console | a webhook form that is sent again after a rotation', (group) => {
  silenceMails(group)
  group.each.teardown(removeWebhooks)

  test('shows no secret', async ({ assert }) => {
    const [path, url] = ['/admin/webhooks', someUrl()]
    const fields = { url, 'events[]': '*' }
    const { shown } = await openForm({ path: `${path}/create`, action: path, fields })
    const first = await shown(WEBHOOK_SECRET)
    assert.equal(await shown(WEBHOOK_SECRET), first)
    const { id } = await db.from('webhooks').where({ url }).firstOrFail()
    const { secret } = await rotateWebhookSecret(id, SYSTEM)
    assert.isNull(await shown(WEBHOOK_SECRET))
    assert.deepEqual(secretsOf((await findWebhookRow(id))!), [secret, first])
  })

  test('brings no previous secret back', async ({ assert }) => {
    const { id } = await newWebhook()
    const path = `/admin/webhooks/${id}/rotate-secret`
    const { shown } = await openForm({ path, action: path, fields: {} })
    const first = await shown(WEBHOOK_SECRET)
    assert.equal(await shown(WEBHOOK_SECRET), first)
    await rotateWebhookSecret(id, SYSTEM)
    const late = await shown(WEBHOOK_SECRET)
    assert.isNotNull(late)
    assert.notEqual(late, first)
  })

  test('rotates a secret that APP_KEY cannot decrypt', async ({ assert }) => {
    const { id } = await newWebhook()
    await db.from('webhooks').where({ id }).update({ secret: 'lost' })
    const path = `/admin/webhooks/${id}/rotate-secret`
    const { shown } = await openForm({ path, action: path, fields: {} })
    assert.isNotNull(await shown(WEBHOOK_SECRET))
  })
})

test.group('Console | a form of a key that is sent again with other days', () => {
  const path = '/account/security'
  const fields = { 'name': 'Report', 'scopes[]': 'profile:read', 'days': '30' }

  test('makes another key', async ({ client, assert }) => {
    const { shown } = await openForm({ path, action: `${path}/api-keys`, fields })
    const keys = []
    for (const days of ['30', '60', '60']) keys.push(await shown(/gh_\w+/, { days }))
    const statuses = []
    for (const key of keys) {
      const response = await client.get('/auth/profile').headers(bearer(key!))
      statuses.push(response.status())
    }
    assert.deepEqual(statuses, [200, 401, 200])
  })
})

test.group('Console | a form of an application that is sent again with another name', () => {
  test('registers a second application once', async ({ assert }) => {
    const action = '/admin/clients'
    const fields = {
      'name': 'One',
      'kind': 'third_party',
      'redirectUris': 'https://wiki.example.org/cb',
      'tokenEndpointAuthMethod': 'client_secret_basic',
      'grantTypes[]': 'authorization_code',
      'scopes[]': 'openid',
    }
    const sent = { path: `${action}/create`, action, fields }
    const [first, second, third] = await sendTwice(sent, { name: 'Other' })
    assert.notEqual(first.to, second.to)
    assert.deepEqual(second, third)
  })
})
