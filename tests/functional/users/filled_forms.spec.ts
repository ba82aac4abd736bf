import { test } from '@japa/runner'
import User from '#models/user'
import { secretsOf } from '#webhooks/webhook'
import { findWebhookRow } from '#webhooks/webhook_rows'
import { createAdmin, PASSWORD, someEmail } from '#tests/support/fixtures'
import { removeWebhooks, silenceMails, someUrl } from '#tests/support/webhook_endpoints'
import { htmlOf, person } from '../account/person.ts'

const [CREATE, INVITE] = ['/admin/users/create', '/admin/users/invite']
const SERVICE = '/admin/users/create-service'

interface Sent {
  path: string
  action: string
  fields: Record<string, string>
}

/** Sends one page's form twice, filled in otherwise the second time, and gives what is created. */
async function sendTwice({ path, action, fields }: Sent, otherwise: Record<string, string>) {
  const { browser } = await person({ user: await createAdmin() })
  const page = await htmlOf(browser.request(path))
  const formToken = /name="formToken" value="([^"]+)"/.exec(page)![1]
  const send = (given: object) =>
    browser.submit(path, { formToken, ...fields, ...given, password: PASSWORD }, action)
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

  /** What the page of a webhook belongs to. */
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
