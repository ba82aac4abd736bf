import limits from '#config/limits'
import { freezeTime, test, timeTravel } from '@japa/runner'
import env from '#start/env'
import hostedPages from '#config/hosted_pages'
import tokens from '#config/tokens'
import db from '@adonisjs/lucid/services/db'
import Identity from '#models/identity'
import { SYSTEM } from '#audit/actor'
import { endAllSessionsAs } from '#auth/sessions/end_session'
import { listSessions } from '#auth/sessions/sessions'
import { createAdmin, createUser, PASSWORD, signedIn } from '#tests/support/fixtures'
import { TestBrowser } from '../external/browser.ts'
import type User from '#models/user'

const MINUTE = 60_000

/** Returns a browser that has signed in on the page. The clock is stopped. */
async function browserOf({ email }: User) {
  freezeTime()
  const browser = new TestBrowser()
  await browser.submit('/sign-in', { email, password: PASSWORD })
  return browser
}

async function statusAndPath(response: Response) {
  const location = response.headers.get('location')
  return location ? `${response.status} ${location}` : String(response.status)
}

async function get(browser: TestBrowser, path: string) {
  return statusAndPath(await browser.request(path))
}

/** Returns the hidden fields of the form on a page. */
function fieldsOf(html: string): Record<string, string> {
  const [, token] = /name=['"]_csrf['"] value=['"]([^'"]+)/.exec(html)!
  const savedForm = /name="savedForm" value="([^"]+)/.exec(html)?.[1]
  return { _csrf: token, ...(savedForm && { savedForm }) }
}

function post(browser: TestBrowser, path: string, fields: Record<string, string>) {
  return browser.request(path, { method: 'POST', body: new URLSearchParams(fields) })
}

test.group('Web session', () => {
  test('one cookie opens the account and the console', async ({ assert }) => {
    const browser = await browserOf(await createAdmin())
    assert.equal(await get(browser, '/account'), '200')
    assert.equal(await get(browser, '/admin'), '200')
  })

  test('outlives days without a request', async ({ assert }) => {
    const browser = await browserOf(await createUser())
    timeTravel(tokens.refreshTtlMs - MINUTE)
    assert.equal(await get(browser, '/account'), '200')
  })

  test('ends as late as a refresh token', async ({ assert }) => {
    const browser = await browserOf(await createUser())
    timeTravel(tokens.refreshTtlMs + MINUTE)
    assert.equal(await get(browser, '/account'), '302 /sign-in?next=%2Faccount')
  })

  test('of an unverified user ends with the sign-out', async ({ assert, cleanup }) => {
    const user = await createUser()
    const browser = await browserOf(user)
    const page = await browser.request('/sign-out')
    const fields = fieldsOf(await page.text())
    await db.from('users').where('id', user.id).update({ email_verified_at: null })
    env.set('REQUIRE_VERIFIED_EMAIL', true)
    cleanup(() => env.set('REQUIRE_VERIFIED_EMAIL', false))
    await post(browser, '/sign-out', fields)
    assert.lengthOf(await listSessions(user.id), 0)
  })

  test('is the fifty-first that ends the oldest', async ({ client, assert }) => {
    const user = await createUser()
    const browser = await browserOf(user)
    for (let count = 0; count < limits.sessions; count++) {
      timeTravel(1_000)
      await signedIn(client, user, { deviceId: `device-${count}` })
    }
    assert.equal(await get(browser, '/account'), '302 /sign-in?next=%2Faccount')
  }).timeout(120_000)

  test('ends with “log out everywhere” of the API', async ({ client, assert }) => {
    const user = await createUser()
    const browser = await browserOf(user)
    const { headers } = await signedIn(client, user)
    await client.post('/auth/logout-all').headers(headers)
    assert.equal(await get(browser, '/account'), '302 /sign-in?next=%2Faccount')
  })

  test('ends when its browser signs in again', async ({ assert }) => {
    const [first, second] = [await createUser(), await createUser()]
    const browser = await browserOf(first)
    await browser.submit('/account', { email: second.email, password: PASSWORD }, '/sign-in')
    assert.lengthOf(await listSessions(first.id), 0)
    assert.lengthOf(await listSessions(second.id), 1)
  })

  test('ends with the proof of an address that is required', async ({ assert, cleanup }) => {
    env.set('REQUIRE_VERIFIED_EMAIL', true)
    cleanup(() => env.set('REQUIRE_VERIFIED_EMAIL', false))
    const user = await createUser()
    const browser = await browserOf(user)
    const before = await get(browser, '/account')
    await user.merge({ emailVerifiedAt: null }).save()
    assert.equal(before, '200')
    assert.equal(await get(browser, '/account'), '302 /sign-in?next=%2Faccount')
  })
})

test.group('Console proof', () => {
  test('ends after half an hour without a request to the console', async ({ assert }) => {
    const browser = await browserOf(await createAdmin())
    timeTravel(20 * MINUTE)
    assert.equal(await get(browser, '/admin'), '200')
    timeTravel(29 * MINUTE)
    assert.equal(await get(browser, '/admin'), '200')
    timeTravel(31 * MINUTE)
    assert.equal(await get(browser, '/admin?days=7'), '302 /confirm?next=%2Fadmin%3Fdays%3D7')
  })

  test('is not kept by requests to the account', async ({ assert }) => {
    const browser = await browserOf(await createAdmin())
    for (const path of ['/admin', '/account', '/account']) {
      assert.equal(await get(browser, path), '200')
      timeTravel(16 * MINUTE)
    }
    assert.equal(await get(browser, '/admin'), '302 /confirm?next=%2Fadmin')
  })

  test('ends after twelve hours of use', async ({ assert }) => {
    const browser = await browserOf(await createAdmin())
    for (let count = 0; count < 48; count++) {
      assert.equal(await get(browser, '/admin/account'), '200')
      timeTravel(15 * MINUTE)
    }
    timeTravel(1)
    assert.equal(await get(browser, '/admin'), '302 /confirm?next=%2Fadmin')
  })

  test('is renewed by the password', async ({ assert }) => {
    const browser = await browserOf(await createAdmin())
    timeTravel(31 * MINUTE)
    const next = '/admin/users?limit=50'
    const confirmed = await browser.submit('/confirm', { password: PASSWORD, next })
    assert.equal(await statusAndPath(confirmed), `303 ${next}`)
    assert.equal(await get(browser, next), '200')
  })

  test('is not renewed by a wrong password', async ({ assert }) => {
    const browser = await browserOf(await createAdmin())
    timeTravel(31 * MINUTE)
    const refused = await browser.submit('/confirm', { password: 'Wrong-h0rse!', next: '/admin' })
    assert.equal(refused.status, 422)
    assert.equal(await get(browser, '/admin'), '302 /confirm?next=%2Fadmin')
  })

  test('does not pass to the session of somebody else', async ({ assert }) => {
    const [idle, busy] = [
      await browserOf(await createAdmin()),
      await browserOf(await createAdmin()),
    ]
    timeTravel(20 * MINUTE)
    await busy.request('/admin')
    timeTravel(11 * MINUTE)
    busy.takeCookie('gatehouse_session', idle)
    assert.equal(await get(busy, '/account'), '200')
    assert.equal(await get(busy, '/admin'), '302 /confirm?next=%2Fadmin')
  })

  test('saves a form that comes too late', async ({ assert }) => {
    const admin = await createAdmin()
    const user = await createUser({ username: 'Before' })
    const browser = await browserOf(admin)
    const path = `/admin/users/${user.id}/unlock`
    timeTravel(31 * MINUTE)
    const asked = await browser.submit('/confirm', {}, path)
    const html = await asked.text()
    const [, savedForm] = /name="savedForm" value="([^"]+)/.exec(html)!
    const replayed = await browser.submit('/confirm', { savedForm, password: PASSWORD })
    assert.equal(asked.status, 403)
    assert.equal(await statusAndPath(replayed), `307 ${path}`)
  })

  test('that comes after the sign-out goes on behind the sign-in', async ({ assert }) => {
    const admin = await createAdmin()
    const user = await createUser()
    const browser = await browserOf(admin)
    const path = `/admin/users/${user.id}/unlock`
    timeTravel(31 * MINUTE)
    const asked = await browser.submit('/confirm', {}, path)
    const confirmation = fieldsOf(await asked.text())
    await endAllSessionsAs(admin.id, SYSTEM)
    const late = await post(browser, '/confirm', { ...confirmation, password: PASSWORD })
    const signIn = fieldsOf(await late.text())
    const credentials = { email: admin.email, password: PASSWORD }
    const replayed = await post(browser, '/sign-in', { ...signIn, ...credentials })
    assert.equal(late.status, 401)
    assert.equal(await statusAndPath(replayed), `307 ${path}`)
    const done = await post(browser, path, { ...signIn, ...credentials })
    assert.equal(done.status, 303)
  })

  test('of who has no password is asked of their provider', async ({ assert }) => {
    const admin = await createAdmin()
    const browser = await browserOf(admin)
    const identity = { provider: 'acme', issuer: 'https://acme.example', subject: admin.id }
    await Identity.create({ ...identity, userId: admin.id, email: null })
    await admin.merge({ password: null }).save()
    timeTravel(31 * MINUTE)
    const { response } = await browser.follow('/admin/users')
    const html = await response.text()
    assert.include(html, '/auth/external/acme?next=%2Fadmin%2Fusers')
    assert.notInclude(html, 'github')
    assert.notInclude(html, 'type="password"')
  })
})

test.group('Hosted pages off', (group) => {
  group.each.setup(() => {
    hostedPages.isOn = false
    return () => {
      hostedPages.isOn = true
    }
  })

  test('{path} is not found')
    .with(['/account', '/forgot-password'].map((path) => ({ path })))
    .run(async ({ assert }, { path }) => {
      const browser = await browserOf(await createAdmin())
      assert.equal(await get(browser, path), '404')
    })

  test('the sign-in leads to the console', async ({ assert }) => {
    const browser = new TestBrowser()
    const { email } = await createAdmin()
    const page = await browser.request('/sign-in')
    const response = await browser.submit('/sign-in', { email, password: PASSWORD })
    assert.notInclude(await page.text(), '/forgot-password')
    assert.equal(await statusAndPath(response), '303 /admin')
  })

  test('the root leads to the console', async ({ client, assert }) => {
    const response = await client.get('/').header('accept', 'text/html').redirects(0)
    assert.equal(response.header('location'), '/admin')
  })

  test('a user without the role can only sign in as another', async ({ assert }) => {
    const browser = await browserOf(await createUser())
    const page = await browser.request('/admin')
    const html = await page.text()
    assert.include(html, 'href="/sign-out"')
    assert.notInclude(html, 'href="/account"')
  })

  test('an administrator still enrols the second factor', async ({ assert }) => {
    const browser = await browserOf(await createAdmin())
    assert.equal(await get(browser, '/admin/account'), '200')
  })
})
