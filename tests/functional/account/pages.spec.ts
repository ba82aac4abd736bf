import { test } from '@japa/runner'
import hostedPages from '#config/hosted_pages'
import { knownDevice, keyOf, createAdmin, createUser, signedIn } from '#tests/support/fixtures'
import { listDevices } from '#auth/devices/list_devices'
import { person } from './person.ts'

const PAGES = ['', '/security', '/sessions', '/activity', '/data', '/data/delete']

/** The forms of the pages. `:id` is the id of a record that belongs to another user. */
const FORMS = [
  '',
  '/picture/remove',
  '/address',
  '/address/resend',
  '/address/withdraw',
  '/security/password',
  '/security/password/begin',
  '/security/mfa/setup',
  '/security/mfa/enable',
  '/security/mfa/codes',
  '/security/mfa/disable',
  '/security/providers/github/link',
  '/security/providers/github/unlink',
  '/security/api-keys',
  '/sessions/end',
  '/data/begin',
  '/data/export',
  '/data/delete',
]

const BASES = ['/account', '/admin/account']

const CELLS = BASES.flatMap((base) => PAGES.map((page) => ({ path: base + page })))

test.group('Account | pages', (group) => {
  group.each.teardown(() => {
    hostedPages.isOn = true
  })

  test('{path} is shown to who is signed in')
    .with(CELLS)
    .run(async ({ assert }, { path }) => {
      const { browser } = await person({ user: await createAdmin() })
      const response = await browser.request(path)
      assert.equal(response.status, 200)
      assert.equal(response.headers.get('cache-control'), 'no-store')
      assert.match(response.headers.get('content-security-policy')!, /default-src 'none'/)
    })

  test('{path} sends everybody else to the sign-in')
    .with(CELLS)
    .run(async ({ client, assert }, { path }) => {
      const response = await client.get(path).redirects(0)
      response.assertStatus(302)
      assert.equal(response.header('location'), `/sign-in?next=${encodeURIComponent(path)}`)
    })

  test('a form at {path} is refused without the token of its page')
    .with(FORMS.map((path) => ({ path: `/account${path}` })))
    .run(async ({ assert }, { path }) => {
      const { browser } = await person()
      const response = await browser.request(path, { method: 'POST', body: new URLSearchParams() })
      assert.equal(response.status, 403)
      assert.include(await response.text(), 'This form has expired')
    })

  test('pages are closed where an application has its own', async ({ assert }) => {
    const { browser } = await person({ user: await createAdmin() })
    hostedPages.isOn = false
    const responses = await Promise.all(BASES.map((base) => browser.request(`${base}/security`)))
    assert.deepEqual(
      responses.map(({ status }) => status),
      [404, 200]
    )
  })

  test('POST {$self} is closed there before the form is looked at')
    .with(['/sign-up', '/forgot-password'])
    .run(async ({ client, cleanup }, path) => {
      hostedPages.isOn = false
      cleanup(() => void (hostedPages.isOn = true))
      const response = await client.post(path).header('accept', 'text/html').form({ email: 'a' })
      response.assertStatus(404)
    })

  test('only administrators have them in the console', async ({ assert }) => {
    const { browser } = await person()
    const response = await browser.request('/admin/account')
    assert.equal(response.status, 403)
  })

  test('the answer to a form leads back when it is loaded again', async ({ assert }) => {
    const { browser } = await person()
    const response = await browser.request('/account/security/mfa/setup')
    assert.equal(response.headers.get('location'), '/account/security')
  })
})

test.group('Account | what others have', () => {
  test('a session of somebody else is not found', async ({ client, assert }) => {
    const { browser } = await person()
    const { sessionId } = await signedIn(client, await createUser())
    const path = `/account/sessions/${sessionId}/end`
    const response = await browser.submit('/account/sessions', {}, path)
    assert.equal(response.status, 404)
  })

  test('a device of somebody else is not found', async ({ client, assert }) => {
    const { browser } = await person()
    const other = await createUser()
    await knownDevice(client, other)
    const [{ id }] = await listDevices(other.id)
    const path = `/account/security/devices/${id}/withdraw`
    const response = await browser.submit('/account/security', {}, path)
    assert.equal(response.status, 404)
    assert.lengthOf(await listDevices(other.id), 1)
  })

  test('an API key of somebody else is not found', async ({ client, assert }) => {
    const { browser } = await person()
    const { id, headers } = await keyOf(await createUser())
    const path = `/account/security/api-keys/${id}/revoke`
    const response = await browser.submit('/account/security', {}, path)
    assert.equal(response.status, 404)
    const profile = await client.get('/auth/profile').headers(headers)
    profile.assertStatus(200)
  })
})
