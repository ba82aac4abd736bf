import { test } from '@japa/runner'
import db from '@adonisjs/lucid/services/db'
import tokens from '#config/tokens'
import { listSessions, endSessions } from '#auth/sessions/sessions'
import { createAdmin, createUser, PASSWORD, someEmail } from '#tests/support/fixtures'
import {
  assertAccessible,
  confirmPassword,
  typeCredentials,
  visit,
  visitAs,
  withBrowser,
} from './visitor.ts'

test.group('Sign-in', (group) => {
  withBrowser(group)

  test('works without JavaScript', async ({ assert }) => {
    await createAdmin()
    const user = await createUser()
    const page = await visit({ javaScriptEnabled: false })
    await page.goto('/sign-in')
    assert.equal(await page.getByText('No administrator').count(), 0)
    await typeCredentials(page, user.email)
    assert.equal(new URL(page.url()).pathname, '/account')
  })

  test('is accessible in light, dark and narrow', async ({ assert }) => {
    for (const colorScheme of ['light', 'dark'] as const) {
      const page = await visit({ colorScheme, viewport: { width: 320, height: 740 } })
      await page.goto('/sign-in')
      await assertAccessible(page, assert)
    }
  })

  test('tells a wrong password and keeps the e-mail', async ({ assert }) => {
    const user = await createUser()
    const page = await visit()
    await page.goto('/sign-in')
    await typeCredentials(page, user.email, 'Wrong-h0rse!')
    const alert = await page.getByRole('alert').textContent()
    assert.include(alert!, '4 attempts remaining')
    assert.equal(await page.getByLabel('E-mail').inputValue(), user.email)
  })

  test('tells the last attempt in the singular', async ({ assert }) => {
    const admin = await createAdmin()
    const page = await visit()
    await page.goto('/admin/sign-in')
    for (let count = 0; count < 4; count++) {
      await typeCredentials(page, admin.email, 'Wrong-h0rse!')
    }
    const alert = await page.getByRole('alert').innerText()
    assert.equal(alert.trim(), 'Invalid credentials. One attempt remaining')
  })

  test('locks the user at the fifth wrong password', async ({ assert }) => {
    const user = await createUser()
    const page = await visit()
    await page.goto('/sign-in')
    for (let count = 0; count < 5; count++) await typeCredentials(page, user.email, 'Wrong-h0rse!')
    const alert = await page.getByRole('alert').innerText()
    assert.match(alert, /account is locked.*Try again in 30 minutes/)
    await user.refresh()
    assert.isTrue(user.isLocked())
  })

  test('returns to the page that was asked for', async ({ assert }) => {
    const admin = await createAdmin()
    const page = await visit()
    await page.goto('/admin?days=7')
    await typeCredentials(page, admin.email, 'Wrong-h0rse!')
    await typeCredentials(page, admin.email)
    await page.getByRole('heading', { name: 'Dashboard' }).waitFor()
    assert.isTrue(page.url().endsWith('/admin?days=7'))
  })

  test('leads from the former address to the console', async ({ assert }) => {
    const admin = await createAdmin()
    const page = await visit()
    await page.goto('/admin/sign-in')
    await typeCredentials(page, admin.email)
    await page.getByRole('heading', { name: 'Dashboard' }).waitFor()
    assert.equal(new URL(page.url()).pathname, '/admin')
  })

  test('never leads away from the site')
    .with([
      '//evil.example',
      'https://evil.example',
      '/\\evil.example',
      '/\t/evil.example',
      '/.//evil.example',
      'javascript:alert(1)',
    ])
    .run(async ({ assert }, next) => {
      const user = await createUser()
      const page = await visit()
      await page.goto(`/sign-in?next=${encodeURIComponent(next)}`)
      await typeCredentials(page, user.email)
      await page.getByRole('heading', { name: 'Your account' }).waitFor()
      assert.equal(new URL(page.url()).pathname, '/account')
    })

  test('is not asked for twice', async ({ assert }) => {
    const { page } = await visitAs()
    await page.goto('/sign-in?next=/admin/users')
    assert.equal(new URL(page.url()).pathname, '/admin/users')
  })

  test('opens the account and the console', async ({ assert }) => {
    const { page } = await visitAs()
    await page.goto('/')
    await page.getByRole('link', { name: 'Console' }).click()
    await page.getByRole('heading', { name: 'Dashboard' }).waitFor()
    assert.equal(new URL(page.url()).pathname, '/admin')
  })

  test('offers the account to who is No administrator', async ({ assert }) => {
    const user = await createUser()
    const page = await visit()
    await page.goto('/admin')
    await typeCredentials(page, user.email)
    await page.getByRole('heading', { name: 'Not allowed' }).waitFor()
    await assertAccessible(page, assert)
    await page.getByRole('link', { name: 'Go to your account' }).click()
    await page.getByRole('heading', { name: 'Your account' }).waitFor()
  })

  test('is a session that its owner sees and ends', async ({ assert }) => {
    const user = await createUser()
    const page = await visit()
    await page.goto('/sign-in')
    await typeCredentials(page, user.email)
    await page.getByRole('heading', { name: 'Your account' }).waitFor()
    const [session] = await listSessions(user.id)
    assert.match(session.deviceName, /^Chrome on Linux$/)
    await endSessions(user.id)
    await page.reload()
    await page.getByText('You were signed out').waitFor()
    assert.include(page.url(), '/sign-in')
  })

  test('ends with a click, for the back button too', async ({ assert }) => {
    const { page, user } = await visitAs(undefined, { path: '/admin' })
    await page.getByRole('button', { name: 'Sign out' }).click()
    await page.getByRole('heading', { name: 'Sign in' }).waitFor()
    await page.goBack()
    await page.getByRole('heading', { name: 'Sign in' }).waitFor()
    assert.lengthOf(await listSessions(user.id), 0)
  })

  test('sends a form of the account on that outlived it', async ({ assert }) => {
    const user = await createUser({ username: 'Before' })
    const page = await visit({ javaScriptEnabled: false })
    await page.goto('/account')
    await typeCredentials(page, user.email)
    await page.locator('[name=username]').fill('Typed for long')
    await endSessions(user.id)
    await page.locator('[name=username]').press('Enter')
    await page.getByText('You were signed out').waitFor()
    await typeCredentials(page, user.email, 'Wrong-h0rse!')
    await typeCredentials(page, user.email)
    await page.getByRole('heading', { name: 'Your account' }).waitFor()
    await user.refresh()
    assert.equal(user.username, 'Typed for long')
  })

  test('is not ended by a link alone', async ({ assert }) => {
    const { page, user } = await visitAs()
    await page.goto('/sign-out')
    await assertAccessible(page, assert)
    assert.lengthOf(await listSessions(user.id), 1)
    await page.getByRole('button', { name: 'Sign out' }).click()
    await page.getByRole('heading', { name: 'Sign in' }).waitFor()
    assert.lengthOf(await listSessions(user.id), 0)
  })

  test('lasts as long as a refresh token', async ({ assert }) => {
    const { user } = await visitAs(undefined, { path: '/admin' })
    const [session] = await listSessions(user.id)
    assert.equal(session.expiresAt - session.createdAt, tokens.refreshTtlMs)
  })

  test('of a disabled administrator ends at once', async ({ assert }) => {
    const { page, user } = await visitAs(undefined, { path: '/admin' })
    await db.from('users').where('id', user.id).update({ disabled_at: Date.now() })
    await page.reload()
    assert.include(page.url(), '/sign-in')
  })

  test('leads to a password of one’s own, where it was generated', async ({ assert }) => {
    const admin = await createAdmin()
    await db.from('users').where('id', admin.id).update({ must_change_password: true })
    const page = await visit()
    await page.goto('/sign-in')
    await typeCredentials(page, admin.email)
    await page.waitForURL('**/sign-in/password?next=*')
    await page.locator('#field-password').waitFor()
    assert.lengthOf(await listSessions(admin.id), 0)
  })

  test('loses the console with the role, at once', async () => {
    const { page, user } = await visitAs(undefined, { path: '/admin' })
    await db.from('users').where('id', user.id).update({ role: 'User' })
    await page.reload()
    await page.getByRole('heading', { name: 'Not allowed' }).waitFor()
  })
})

test.group('Console proof', (group) => {
  withBrowser(group)

  test('{end} after {minutes} minutes without a request to it')
    .with([
      { minutes: 29, end: 'holds' },
      { minutes: 31, end: 'ends' },
    ])
    .run(async ({ assert }, { minutes, end }) => {
      const { page, user } = await visitAs(undefined, { path: '/admin', idleMinutes: minutes })
      assert.equal(page.url().includes('/confirm'), end === 'ends')
      assert.lengthOf(await listSessions(user.id), 1)
    })

  test('is given again with the password', async ({ assert }) => {
    const { page } = await visitAs(undefined, { idleMinutes: 31 })
    await page.goto('/admin/users?limit=50')
    await assertAccessible(page, assert)
    await confirmPassword(page)
    assert.isTrue(page.url().endsWith('/admin/users?limit=50'))
  })

  test('is not needed for the account', async ({ assert }) => {
    const { page } = await visitAs(undefined, { path: '/admin', idleMinutes: 3 * 24 * 60 })
    await page.getByRole('link', { name: 'Cancel' }).click()
    await page.getByRole('heading', { name: 'Your account' }).waitFor()
    assert.equal(new URL(page.url()).pathname, '/account')
  })
})

test.group('Page requests', () => {
  test('are refused without the token of the form', async ({ client, assert }) => {
    const response = await client.post('/sign-in').form({ email: someEmail(), password: PASSWORD })
    response.assertStatus(403)
    assert.include(response.text(), 'This form has expired')
  })

  test('take forms and nothing else', async ({ client }) => {
    const request = client.post('/sign-in').header('cookie', 'gatehouse_page_values=x')
    const response = await request.json({ email: someEmail() })
    response.assertStatus(415)
  })

  test('carry a strict policy', async ({ client, assert }) => {
    const response = await client.get('/sign-in')
    const policy = response.header('content-security-policy')!
    assert.match(policy, /default-src 'none';style-src 'nonce-[^']+';script-src 'nonce-[^']+'/)
    assert.notInclude(policy, 'unsafe')
    assert.notMatch(response.text(), /\sstyle=|\son[a-z]+=/)
  })

  test('accept no refresh token for a cookie', async ({ client, assert }) => {
    const admin = await createAdmin()
    const login = await client.post('/auth/login').json({ email: admin.email, password: PASSWORD })
    const { refreshToken } = login.body()
    const [session] = await listSessions(admin.id)
    const cookie = `gatehouse_session=${admin.id}.${session.id}.${refreshToken}`
    const response = await client.get('/admin').header('cookie', cookie).redirects(0)
    response.assertStatus(302)
    assert.include(response.header('location')!, '/sign-in')
  })
})
