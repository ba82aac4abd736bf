import { test } from '@japa/runner'
import settings from '#config/web_session'
import User from '#models/user'
import { webCookie } from '#auth/sessions/web_session'
import { BY_PASSWORD } from '#auth/sessions/authentication'
import { startSession } from '#auth/sessions/sessions'
import { createAdmin, createUser, PASSWORD, someAddress, someEmail } from '#tests/support/fixtures'
import { recordsWhere } from '#tests/support/trail'

/** Opens a page of the console, and sends its form with other values. */
async function submitForm(path: string, fields: Record<string, string>, action = path) {
  const device = { id: 'default', ip: someAddress(), userAgent: null, client: 'web' as const }
  const { session, refreshToken } = await startSession(await createAdmin(), {
    device,
    ...BY_PASSWORD,
  })
  const here = `http://127.0.0.1:${process.env.PORT}`
  const signedIn = `${settings.cookieName}=${webCookie(session, refreshToken)}`
  const page = await fetch(here + path, { headers: { cookie: signedIn } })
  const csrf = /name=['"]_csrf['"] value=['"]([^'"]+)/.exec(await page.text())![1]
  const cookies = page.headers.getSetCookie().map((cookie) => cookie.split(';')[0])
  return fetch(here + action, {
    method: 'POST',
    redirect: 'manual',
    headers: { cookie: [signedIn, ...cookies].join('; ') },
    body: new URLSearchParams({ _csrf: csrf, ...fields }),
  })
}

test.group('Console | user', () => {
  test('refuses a form whose shown values are {shown}')
    .with([{ shown: 'abc' }, { shown: '"abc"' }, { shown: '5' }, { shown: 'null' }])
    .run(async ({ assert }, { shown }) => {
      const user = await createUser()
      const { email, role } = user
      const fields = { email, role, username: 'Eve', nickname: '', shown }
      const response = await submitForm(`/admin/users/${user.id}`, fields)
      assert.equal(response.status, 400)
      const { username } = await User.findOrFail(user.id)
      assert.equal(username, user.username)
    })

  test('takes a shown value that is an object for changed', async ({ assert }) => {
    const user = await createUser()
    const { email, role } = user
    const shown = JSON.stringify({ email, role, username: { toString: 1 }, emailVerified: false })
    const fields = { email, role, username: 'Eve', nickname: '', shown }
    const response = await submitForm(`/admin/users/${user.id}`, fields)
    assert.equal(response.status, 303)
    const { username } = await User.findOrFail(user.id)
    assert.equal(username, 'Eve')
  })

  test('a new one counts as verified if the box is ticked', async ({ assert }) => {
    for (const emailVerified of ['true', '']) {
      const email = someEmail()
      const fields = { email, username: 'Grace', role: 'User', password: PASSWORD, emailVerified }
      const response = await submitForm('/admin/users/create', fields, '/admin/users')
      assert.equal(response.status, 303)
      const user = await User.findByOrFail('email', email)
      assert.equal(user.isEmailVerified, emailVerified === 'true')
    }
  })

  test('a button marks the address as verified', async ({ assert }) => {
    const user = await createUser({ isVerified: false })
    const path = `/admin/users/${user.id}`
    const response = await submitForm(path, {}, `${path}/verify`)
    assert.equal(response.status, 303)
    await user.refresh()
    assert.isTrue(user.isEmailVerified)
    const [event] = await recordsWhere({ target_id: user.id, action: 'account.updated' })
    assert.deepEqual(event.details, { emailVerified: { before: false, after: true } })
  })
})
