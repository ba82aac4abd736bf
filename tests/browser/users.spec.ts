import { test } from '@japa/runner'
import db from '@adonisjs/lucid/services/db'
import { until } from '#tests/support/waiting'
import User from '#models/user'
import { createUser, PASSWORD, someEmail } from '#tests/support/fixtures'
import { assertAccessible, confirmPassword, openFilters, visitAs, withBrowser } from './visitor.ts'

test.group('Creating users', (group) => {
  withBrowser(group)

  test('needs an e-mail, a name and a password', async ({ assert }) => {
    const { page } = await visitAs()
    const email = someEmail()
    await page.goto('/admin/users')
    await page.getByRole('link', { name: 'Create user' }).click()
    await page.getByLabel('E-mail', { exact: true }).fill(email)
    await page.getByLabel('Name', { exact: true }).fill('Hedy Lamarr')
    await page.getByLabel('Password').fill(PASSWORD)
    await page.getByRole('button', { name: 'Create user' }).click()
    await page.getByText('The user was created').waitFor()
    const user = await User.findByOrFail('email', email)
    assert.include(page.url(), user.id)
    assert.equal(user.username, 'Hedy Lamarr')
    assert.isTrue(Boolean(user.mustChangePassword))
  })

  test('tells errors beside their fields, keeping what was typed', async ({ assert }) => {
    const { page, user } = await visitAs(undefined, { javaScriptEnabled: false })
    await page.goto('/admin/users/create')
    await page.getByLabel('E-mail', { exact: true }).fill(user.email)
    await page.getByLabel('Name', { exact: true }).fill('Hedy Lamarr')
    await page.getByLabel('Nickname').fill('Hedy')
    await page.getByLabel('Password').fill(PASSWORD)
    await page.getByRole('button', { name: 'Create user' }).click()
    assert.equal(
      await page.locator('#field-email-error').innerText(),
      'Another account has this e-mail address already'
    )
    assert.equal(
      await page.getByLabel('E-mail', { exact: true }).getAttribute('aria-invalid'),
      'true'
    )
    assert.equal(await page.getByLabel('Nickname').inputValue(), 'Hedy')
  })

  test('of another administrator needs the password again', async ({ assert }) => {
    const { page } = await visitAs()
    const email = someEmail()
    await page.goto('/admin/users/invite')
    await page.getByLabel('E-mail', { exact: true }).fill(email)
    await page.getByLabel('Name').fill('Joan Clarke')
    await page.getByLabel('Role').selectOption('Admin')
    await page.getByRole('button', { name: 'Send invitation' }).click()
    await page.getByRole('heading', { name: 'Confirm it’s you' }).waitFor()
    assert.isNull(await User.findBy('email', email))
    await confirmPassword(page)
    await page.getByText('was written to a file').waitFor()
    const user = await User.findByOrFail('email', email)
    assert.equal(user.role, 'Admin')
  })

  test('by invitation leaves the password to them', async ({ assert }) => {
    const { page } = await visitAs()
    const email = someEmail()
    await page.goto('/admin/users/invite')
    await page.getByLabel('E-mail', { exact: true }).fill(email)
    await page.getByLabel('Name').fill('Joan Clarke')
    await page.getByRole('button', { name: 'Send invitation' }).click()
    await page.getByText('Invited', { exact: true }).waitFor()
    await page.getByRole('button', { name: 'Resend invitation' }).click()
    const mails = () => db.from('mails').where({ recipient: email, kind: 'invitation' })
    await until(async () => {
      const { length } = await mails()
      return length === 2
    })
    await page.getByText('was written to a file').waitFor()
    await page.getByRole('button', { name: 'Revoke and delete' }).click()
    await page.getByText(`Revoke the invitation of ${email}`).waitFor()
    assert.isNotNull(await User.findBy('email', email))
    await confirmPassword(page)
    await page.getByText('was revoked').waitFor()
    assert.isNull(await User.findBy('email', email))
  })
})

test.group('Creating service accounts', (group) => {
  withBrowser(group)

  test('needs a name, and leads to its API keys', async ({ assert }) => {
    const { page } = await visitAs(undefined, { viewport: { width: 390, height: 844 } })
    const name = `worker ${Date.now()}`
    await page.goto('/admin/users/create')
    await page.getByRole('link', { name: 'create a service account' }).click()
    await assertAccessible(page, assert)
    await page.getByLabel('Name', { exact: true }).fill(name)
    await page.getByRole('button', { name: 'Create service account' }).click()
    await confirmPassword(page)
    await page.getByText('Create an API key for it.').waitFor()
    await page.getByRole('button', { name: 'Create key' }).waitFor()
    const { kind, role, password } = await User.findByOrFail('username', name)
    assert.deepEqual([kind, role, password], ['service', 'User', null])
    await page.goto(`/admin/users?kind=service&search=${encodeURIComponent(name)}`)
    await page.getByText('1 user', { exact: true }).waitFor()
    assert.equal(await page.getByLabel('Kind').inputValue(), 'service')
  })

  test('tells a missing name beside its field', async () => {
    const { page } = await visitAs(undefined, { javaScriptEnabled: false })
    await page.goto('/admin/users/create-service')
    await page.getByLabel('Name', { exact: true }).fill(' ')
    await page.getByRole('button', { name: 'Create service account' }).click()
    await page.locator('#field-username-error').waitFor()
  })

  test('of an administrator needs the password again', async ({ assert }) => {
    const { page } = await visitAs()
    const name = `admin worker ${Date.now()}`
    await page.goto('/admin/users/create-service')
    await page.getByLabel('Name', { exact: true }).fill(name)
    await page.getByLabel('Role').selectOption('Admin')
    await page.getByRole('button', { name: 'Create service account' }).click()
    await page.getByText(`Make ${name} an administrator.`).waitFor()
    assert.isNull(await User.findBy('username', name))
    await confirmPassword(page)
    await page.getByText('Create an API key for it.').waitFor()
  })
})

test.group('A user without a password', (group) => {
  withBrowser(group)

  test('that was never invited is invited, not revoked', async ({ assert }) => {
    const user = await createUser({ password: null })
    const { page } = await visitAs()
    await page.goto(`/admin/users/${user.id}`)
    await page.getByText('No password', { exact: true }).waitFor()
    assert.equal(await page.getByRole('button', { name: 'Revoke' }).count(), 0)
    await page.getByRole('button', { name: 'Send invitation' }).click()
    await page.getByText('Invited', { exact: true }).waitFor()
  })
})

test.group('The list of users', (group) => {
  withBrowser(group)

  test('searches, filters and goes back', async ({ assert }) => {
    const tag = `Zx${Date.now().toString(36)}`
    const found = await createUser({ username: `${tag} one` })
    await createUser({ username: `${tag} two`, role: 'Admin' })
    const { page } = await visitAs()
    await page.goto('/admin/users')
    await page.getByLabel('Search').fill(tag)
    await page.getByRole('button', { name: 'Filter' }).click()
    await page.getByText('2 users').waitFor()
    await openFilters(page)
    await page.getByLabel('Role').selectOption('User')
    await page.getByRole('button', { name: 'Filter' }).click()
    await page.getByText('1 user', { exact: true }).waitFor()
    await page.getByRole('link', { name: `${tag} one` }).click()
    assert.include(page.url(), found.id)
    await page.goBack()
    await page.getByText('1 user', { exact: true }).waitFor()
    assert.equal(await page.getByLabel('Search').inputValue(), tag)
  })

  test('finds who has not signed in for long', async ({ assert }) => {
    const tag = `Idle${Date.now().toString(36)}`
    const [old, recent] = [await createUser({ username: tag }), await createUser({ username: tag })]
    const age = (days: number) => Date.now() - days * 86_400_000
    await db
      .from('users')
      .where('id', old.id)
      .update({ last_login_at: age(31) })
    await db
      .from('users')
      .where('id', recent.id)
      .update({ last_login_at: age(29) })
    const { page } = await visitAs()
    await page.goto(`/admin/users?search=${tag}&inactive=30`)
    await page.getByText('1 user', { exact: true }).waitFor()
    assert.equal(await page.getByText(old.email).count(), 1)
  })

  test('walks every order to its end and back', async ({ assert }) => {
    const tag = `Walk${Date.now().toString(36)}`
    for (let index = 0; index < 30; index++) {
      const user = await createUser({ username: tag, password: null })
      if (index % 3 === 0) await user.merge({ mfaEnabled: true, provider: 'google' }).save()
    }
    const { page } = await visitAs()
    const rows = () => page.locator('tbody a').allTextContents()
    const emails = () => page.locator('tbody .user-summary-name > span').allTextContents()
    for (const sort of [
      'email',
      '-seen',
      'mfa',
      '-provider',
      'created',
      'status',
      'name',
      'role',
    ]) {
      await page.goto(`/admin/users?search=${tag}&sort=${sort}`)
      const first = await emails()
      await page.getByRole('link', { name: 'Next' }).click()
      await page.waitForLoadState()
      const second = await emails()
      assert.lengthOf(new Set([...first, ...second]), 30, sort)
      assert.lengthOf(await rows(), 5)
      await page.getByRole('link', { name: 'Previous' }).click()
      await page.waitForLoadState()
      assert.deepEqual(await emails(), first, sort)
    }
  })

  test('takes any address for an answer', async ({ client, assert }) => {
    const { page } = await visitAs()
    for (const query of ['sort=;drop', 'after=garbage', 'inactive=-1', 'status=x&page[]=1']) {
      const response = await page.goto(`/admin/users?${query}`)
      assert.equal(response!.status(), 200, query)
    }
    const anonymous = await client.get('/admin/users.csv').redirects(0)
    anonymous.assertStatus(302)
  })

  test('exports what is filtered, harmless to spreadsheets', async ({ assert }) => {
    const tag = `Csv${Date.now().toString(36)}`
    await createUser({ username: tag })
    const formula = await createUser({ username: `=HYPERLINK("x")${tag}` })
    const { page } = await visitAs()
    await page.goto(`/admin/users?search=${tag}`)
    const download = page.waitForEvent('download')
    await page.getByRole('link', { name: 'Export CSV' }).click()
    const file = await download
    const stream = await file.createReadStream()
    const chunks = await stream.toArray()
    const csv = Buffer.concat(chunks).toString()
    assert.lengthOf(csv.trim().split('\n'), 3)
    const line = csv.split('\n').find((text) => text.includes(formula.id))!
    assert.include(line, `"'=HYPERLINK`)
    assert.notInclude(csv, 'argon2')
  })
})
