import { request } from 'node:http'
import { test } from '@japa/runner'
import User from '#models/user'
import { SYSTEM } from '#audit/actor'
import { endAllSessionsAs } from '#auth/sessions/end_session'
import { recordsWhere } from '#tests/support/trail'
import { createAdmin, createUser, PASSWORD, signedIn, someAddress } from '#tests/support/fixtures'
import { holdTransaction } from '#tests/support/held_transaction'
import { savedIn } from '../account/left_form.ts'
import { TestBrowser } from '../external/browser.ts'

const here = `http://127.0.0.1:${process.env.PORT}`

async function consoleOf({ email }: User) {
  const browser = new TestBrowser()
  await browser.submit('/sign-in', { email, password: PASSWORD })
  return browser
}

/** The form “Details” of a user as a browser tab shows it now. */
async function openTab(browser: TestBrowser, { id }: User) {
  const fields = detailsOf(await User.findOrFail(id))
  return (changes: Record<string, string>) =>
    browser.submit(`/admin/users/${id}`, { ...fields, ...changes })
}

function detailsOf({ email, username, nickname, role, isEmailVerified: emailVerified }: User) {
  const shown = JSON.stringify({ email, username, nickname, role, emailVerified })
  return { email, username, nickname: nickname ?? '', role, emailVerified: 'true', shown }
}

test.group('Tabs | one user', () => {
  test('keep what the other one has changed', async ({ assert }) => {
    const [browser, user] = [await consoleOf(await createAdmin()), await createUser()]
    const [first, second] = [await openTab(browser, user), await openTab(browser, user)]
    await first({ username: 'Eve' })
    const saved = await second({ nickname: 'Countess' })
    await user.refresh()
    assert.equal(saved.status, 303)
    assert.deepEqual([user.username, user.nickname], ['Eve', 'Countess'])
  })

  test('at once keep both changes', async ({ assert }) => {
    const [browser, user] = [await consoleOf(await createAdmin()), await createUser()]
    const [first, second] = [await openTab(browser, user), await openTab(browser, user)]
    await Promise.all([first({ username: 'Eve' }), second({ nickname: 'Countess' })])
    await user.refresh()
    assert.deepEqual([user.username, user.nickname], ['Eve', 'Countess'])
  })

  test('delete a user once', async ({ assert }) => {
    const [browser, user] = [await consoleOf(await createAdmin()), await createUser()]
    const remove = () => browser.submit('/admin', {}, `/admin/users/${user.id}/delete`)
    const answers = await Promise.all([remove(), remove()])
    assert.deepEqual(answers.map(({ status }) => status).sort(), [303, 404])
    const events = await recordsWhere({ target_id: user.id, action: 'account.deleted' })
    assert.lengthOf(events, 1)
  })
})

test.group('Tabs | end of the session', () => {
  /** Sends a form whose session ends after the check of the session and before any change. */
  async function interrupted() {
    const [admin, user] = [await createAdmin(), await createUser()]
    const browser = await consoleOf(admin)
    const send = await openTab(browser, user)
    const held = holdTransaction()
    const answer = send({ username: 'Eve' })
    await held.begun
    await endAllSessionsAs(admin.id, SYSTEM)
    held.release()
    return { admin, user, browser, page: await answer }
  }

  test('saves a form that is under way', async ({ assert }) => {
    const { user, page } = await interrupted()
    const text = await page.text()
    await user.refresh()
    assert.equal(page.status, 401)
    assert.include(text, 'name="savedForm"')
    assert.include(text, 'You were signed out')
    assert.notEqual(user.username, 'Eve')
  })

  test('replays the form after a sign-in', async ({ assert }) => {
    const { admin, user, browser, page } = await interrupted()
    const text = await page.text()
    const [, savedForm] = /name="savedForm" value="([^"]+)"/.exec(text)!
    const fields = { email: admin.email, password: PASSWORD, savedForm }
    const replay = await browser.submit('/sign-in', fields)
    assert.equal(replay.status, 307)
    const path = replay.headers.get('location')!
    const done = await browser.submit('/admin', { savedForm }, path)
    await user.refresh()
    assert.equal(done.status, 303)
    assert.equal(user.username, 'Eve')
  })

  test('the console names a form that somebody left before a sign-in', async ({ assert }) => {
    const admin = await createAdmin()
    const { id } = await createUser()
    const user = await User.findOrFail(id)
    const browser = await consoleOf(admin)
    const path = `/admin/users/${user.id}`
    await browser.submit('/sign-out')
    const left = await browser.submit('/sign-in', { ...detailsOf(user), role: 'Admin' }, path)
    const savedForm = savedIn(await left.text())
    const fields = { email: admin.email, password: PASSWORD, savedForm }
    const replay = await browser.submit('/sign-in', fields)
    const asked = await browser.submit('/admin', { savedForm }, path)
    const text = await asked.text()
    const before = await User.findOrFail(user.id)
    assert.deepEqual([left.status, replay.status, asked.status], [401, 307, 403])
    assert.include(text, user.label)
    assert.equal(before.role, 'User')
    const named = savedIn(text)
    const confirmed = await browser.submit('/confirm', { savedForm: named, password: PASSWORD })
    await browser.submit('/admin', { savedForm: named }, path)
    await user.refresh()
    assert.equal(confirmed.status, 307)
    assert.equal(user.role, 'Admin')
  })

  test('refuses a body that a slow line brings later', async ({ client, assert }) => {
    const user = await createUser()
    const [slow, other] = [await signedIn(client, user), await signedIn(client, user)]
    const body = JSON.stringify({ username: 'Eve' })
    const headers = { ...slow.headers, 'content-type': 'application/json' }
    const put = request(`${here}/auth/profile`, {
      method: 'PUT',
      headers: { ...headers, 'content-length': body.length, 'x-forwarded-for': someAddress() },
    })
    const status = new Promise((resolve, reject) => {
      put.once('response', (response) => resolve(response.statusCode))
      put.once('error', reject)
    })
    put.write(body.slice(0, 5))
    await client.post('/auth/logout-all').headers(other.headers)
    put.end(body.slice(5))
    assert.equal(await status, 401)
    await user.refresh()
    assert.notEqual(user.username, 'Eve')
  })
})
