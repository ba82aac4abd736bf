import { test } from '@japa/runner'
import db from '@adonisjs/lucid/services/db'
import { issueSetupToken } from '#users/first_admin'
import { listSessions, endSessions } from '#auth/sessions/sessions'
import { createAdmin, createUser, PASSWORD, someEmail } from '#tests/fixtures'
import { assertAccessible, typeCredentials, visit, visitAs, withBrowser } from './visitor.ts'

test.group('Set-up', (group) => {
  withBrowser(group)
  group.each.setup(async () => {
    await db.from('users').delete()
  })

  test('leads from the link to the dashboard', async ({ assert }) => {
    const page = await visit()
    await page.goto(`/admin/setup?token=${await issueSetupToken()}`)
    await assertAccessible(page, assert)
    await page.getByLabel('E-mail').fill('first@example.org')
    await page.getByLabel('Name').fill('Ada Lovelace')
    await page.getByLabel('Password').fill(PASSWORD)
    await page.getByRole('button', { name: 'Create administrator' }).click()
    await page.getByRole('heading', { name: 'Dashboard' }).waitFor()
    assert.equal(new URL(page.url()).pathname, '/admin')
  })

  test('keeps what was typed beside its errors', async ({ assert }) => {
    const page = await visit()
    await page.goto(`/admin/setup?token=${await issueSetupToken()}`)
    await page.getByLabel('E-mail').fill('first@example.org')
    await page.getByLabel('Name').fill('Ada Lovelace')
    await page.getByLabel('Password').fill('short')
    await page.getByRole('button', { name: 'Create administrator' }).click()
    await page.waitForLoadState()
    const errors = await page.locator('#field-password-error li').allTextContents()
    assert.lengthOf(errors, 4)
    assert.equal(await page.getByLabel('E-mail').inputValue(), 'first@example.org')
    assert.equal(await page.getByLabel('Password').inputValue(), '')
  })

  test('is told of on the page before it', async ({ assert }) => {
    const page = await visit()
    await page.goto('/admin')
    await page.getByRole('heading', { name: 'There is no administrator yet' }).waitFor()
    assert.include(await page.locator('main').innerText(), 'user:create')
    await assertAccessible(page, assert)
  })

  test('refuses a link that was replaced', async ({ assert }) => {
    const old = await issueSetupToken()
    await issueSetupToken()
    const page = await visit()
    const response = await page.goto(`/admin/setup?token=${old}`)
    assert.equal(response!.status(), 404)
    assert.notInclude(await page.content(), old)
  })

  test('makes one administrator of two at once', async ({ assert }) => {
    const token = await issueSetupToken()
    const pages = await Promise.all([visit(), visit()])
    await Promise.all(
      pages.map(async (page) => {
        await page.goto(`/admin/setup?token=${token}`)
        await page.getByLabel('E-mail').fill(someEmail())
        await page.getByLabel('Name').fill('Ada')
        await page.getByLabel('Password').fill(PASSWORD)
        await page.getByRole('button', { name: 'Create administrator' }).click()
        await page.getByRole('heading', { name: /Dashboard|leads nowhere/ }).waitFor()
      })
    )
    const admins = await db.from('users').where('role', 'Admin')
    assert.lengthOf(admins, 1)
  })
})

test.group('Console sign-in', (group) => {
  withBrowser(group)

  test('works without JavaScript', async ({ assert }) => {
    const admin = await createAdmin()
    const page = await visit({ javaScriptEnabled: false })
    await page.goto('/admin/sign-in')
    assert.equal(await page.getByText('no administrator').count(), 0)
    await typeCredentials(page, admin.email)
    assert.equal(await page.getByRole('heading', { level: 1 }).textContent(), 'Dashboard')
  })

  test('is accessible in light, dark and narrow', async ({ assert }) => {
    for (const colorScheme of ['light', 'dark'] as const) {
      const page = await visit({ colorScheme, viewport: { width: 360, height: 740 } })
      await page.goto('/admin/sign-in')
      await assertAccessible(page, assert)
    }
  })

  test('tells a wrong password and keeps the e-mail', async ({ assert }) => {
    const admin = await createAdmin()
    const page = await visit()
    await page.goto('/admin/sign-in')
    await typeCredentials(page, admin.email, 'Wrong-h0rse!')
    const alert = await page.getByRole('alert').textContent()
    assert.include(alert!, '4 attempts remaining')
    assert.equal(await page.getByLabel('E-mail').inputValue(), admin.email)
  })

  test('tells the last attempt in the singular', async ({ assert }) => {
    const admin = await createAdmin()
    const page = await visit()
    await page.goto('/admin/sign-in')
    for (let count = 0; count < 4; count++) {
      await typeCredentials(page, admin.email, 'Wrong-h0rse!')
    }
    const alert = await page.getByRole('alert').innerText()
    assert.equal(alert.trim(), 'Invalid credentials. 1 attempt remaining')
  })

  test('locks the user at the fifth wrong password', async ({ assert }) => {
    const admin = await createAdmin()
    const page = await visit()
    await page.goto('/admin/sign-in')
    for (let count = 0; count < 5; count++) {
      await typeCredentials(page, admin.email, 'Wrong-h0rse!')
    }
    const alert = await page.getByRole('alert').innerText()
    assert.match(alert, /Account locked .*Try again in 30 minutes/)
    await admin.refresh()
    assert.isTrue(admin.isLocked())
  })

  test('refuses who is no administrator', async ({ assert }) => {
    const user = await createUser()
    const page = await visit()
    await page.goto('/admin/sign-in')
    await typeCredentials(page, user.email)
    assert.include((await page.getByRole('alert').textContent())!, 'Only administrators')
    assert.lengthOf(await listSessions(user.id), 0)
  })

  test('returns to the page that was asked for', async ({ assert }) => {
    const admin = await createAdmin()
    const page = await visit()
    await page.goto('/admin?days=7')
    await typeCredentials(page, admin.email)
    await page.getByRole('heading', { name: 'Dashboard' }).waitFor()
    assert.isTrue(page.url().endsWith('/admin?days=7'))
  })

  test('never leads away from the console', async ({ assert }) => {
    const admin = await createAdmin()
    for (const next of ['//evil.example', 'https://evil.example', '/admin/../x', '/\\evil']) {
      const page = await visit()
      await page.goto(`/admin/sign-in?next=${encodeURIComponent(next)}`)
      await typeCredentials(page, admin.email)
      await page.getByRole('heading', { name: 'Dashboard' }).waitFor()
      assert.equal(new URL(page.url()).pathname, '/admin')
    }
  })

  test('is not asked for twice', async ({ assert }) => {
    const { page } = await visitAs()
    await page.goto('/admin/sign-in?next=/admin/users')
    assert.equal(new URL(page.url()).pathname, '/admin/users')
  })

  test('is a session that its owner sees and ends', async ({ assert }) => {
    const user = await createAdmin()
    const page = await visit()
    await page.goto('/admin/sign-in')
    await typeCredentials(page, user.email)
    await page.getByRole('heading', { name: 'Dashboard' }).waitFor()
    const [session] = await listSessions(user.id)
    assert.match(session.deviceName, /\(console\)$/)
    await endSessions(user.id)
    await page.reload()
    await page.getByText('You were signed out').waitFor()
    assert.include(page.url(), '/admin/sign-in')
  })

  test('ends with a click, for the back button too', async ({ assert }) => {
    const { page, user } = await visitAs()
    await page.getByRole('button', { name: 'Sign out' }).click()
    await page.getByRole('heading', { name: 'Sign in' }).waitFor()
    await page.goBack()
    await page.getByRole('heading', { name: 'Sign in' }).waitFor()
    assert.lengthOf(await listSessions(user.id), 0)
  })

  test('{end} after {minutes} minutes without a click')
    .with([
      { minutes: 29, end: 'goes on' },
      { minutes: 31, end: 'ends' },
    ])
    .run(async ({ assert }, { minutes, end }) => {
      const { page, user } = await visitAs(undefined, { idleMinutes: minutes })
      assert.equal(page.url().includes('/admin/sign-in'), end === 'ends')
      assert.lengthOf(await listSessions(user.id), end === 'ends' ? 0 : 1)
    })

  test('is given twelve hours, however busy', async ({ assert }) => {
    const { user } = await visitAs()
    const [session] = await listSessions(user.id)
    assert.equal(session.expiresAt - session.createdAt, 12 * 3_600_000)
  })

  test('of a disabled administrator ends at once', async ({ assert }) => {
    const { page, user } = await visitAs()
    await db.from('users').where('id', user.id).update({ disabled_at: Date.now() })
    await page.reload()
    assert.include(page.url(), '/admin/sign-in')
  })

  test('leads to a password of one’s own, where it was generated', async ({ assert }) => {
    const admin = await createAdmin()
    await db.from('users').where('id', admin.id).update({ must_change_password: true })
    const page = await visit()
    await page.goto('/admin/sign-in')
    await typeCredentials(page, admin.email)
    await page.waitForURL('**/reset-password?token=*')
    assert.lengthOf(await listSessions(admin.id), 0)
  })

  test('loses its rights with the role, at once', async ({ assert }) => {
    const { page, user } = await visitAs()
    await db.from('users').where('id', user.id).update({ role: 'User' })
    await page.reload()
    assert.include(page.url(), '/admin/sign-in')
  })
})

test.group('Console requests', () => {
  test('are refused without the token of the form', async ({ client, assert }) => {
    const response = await client
      .post('/admin/sign-in')
      .form({ email: someEmail(), password: PASSWORD })
    response.assertStatus(403)
    assert.include(response.text(), 'This form has expired')
  })

  test('take forms and nothing else', async ({ client }) => {
    const response = await client.post('/admin/sign-in').json({ email: someEmail() })
    response.assertStatus(415)
  })

  test('carry a strict policy', async ({ client, assert }) => {
    const response = await client.get('/admin/sign-in')
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
    const cookie = `console=${admin.id}.${session.id}.${refreshToken}`
    const response = await client.get('/admin').header('cookie', cookie).redirects(0)
    response.assertStatus(302)
    assert.include(response.header('location')!, '/admin/sign-in')
  })
})
