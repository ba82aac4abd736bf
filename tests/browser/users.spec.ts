import { test } from '@japa/runner'
import db from '@adonisjs/lucid/services/db'
import { v7 as uuidv7 } from 'uuid'
import User from '#models/user'
import { endSessions, listSessions } from '#auth/sessions/registry'
import { createAdmin, createUser, login, PASSWORD, signedIn, someEmail } from '#tests/fixtures'
import {
  assertAccessible,
  confirmPassword,
  typeCredentials,
  visitAs,
  withBrowser,
} from './visitor.ts'

/** What the database says of a user now. */
async function attributeOf(user: User, name: 'role' | 'username' | 'isDisabled') {
  await user.refresh()
  return user[name]
}

const HOSTILE = [
  '<script>document.title="owned"</script>',
  '{{ 7 * 7 }} @{{ 7 * 7 }} {{{ 7 * 7 }}}',
  '"><img src=x onerror=alert(1)>',
  'x'.repeat(100),
]

test.group('Creating users', (group) => {
  withBrowser(group)

  test('needs an e-mail, a name and a password', async ({ assert }) => {
    const { page } = await visitAs()
    const email = someEmail()
    await page.goto('/admin/users')
    await page.getByRole('link', { name: 'Create user' }).click()
    await page.getByLabel('E-mail').fill(email)
    await page.getByLabel('Name', { exact: true }).fill('Hedy Lamarr')
    await page.getByLabel('Password').fill(PASSWORD)
    await page.getByRole('button', { name: 'Create user' }).click()
    await page.getByText('The user was created.').waitFor()
    const user = await User.findByOrFail('email', email)
    assert.include(page.url(), user.id)
    assert.equal(user.username, 'Hedy Lamarr')
  })

  test('tells errors beside their fields, keeping what was typed', async ({ assert }) => {
    const { page, user } = await visitAs(undefined, { javaScriptEnabled: false })
    await page.goto('/admin/users/create')
    await page.getByLabel('E-mail').fill(user.email)
    await page.getByLabel('Name', { exact: true }).fill('Hedy Lamarr')
    await page.getByLabel('Nickname').fill('Hedy')
    await page.getByLabel('Password').fill(PASSWORD)
    await page.getByRole('button', { name: 'Create user' }).click()
    assert.equal(await page.locator('#field-email-error').innerText(), 'Email already registered')
    assert.equal(await page.getByLabel('E-mail').getAttribute('aria-invalid'), 'true')
    assert.equal(await page.getByLabel('Nickname').inputValue(), 'Hedy')
  })

  test('of another administrator needs the password again', async ({ assert }) => {
    const { page } = await visitAs()
    const email = someEmail()
    await page.goto('/admin/users/invite')
    await page.getByLabel('E-mail').fill(email)
    await page.getByLabel('Name').fill('Joan Clarke')
    await page.getByLabel('Role').selectOption('Admin')
    await page.getByRole('button', { name: 'Send invitation' }).click()
    assert.isNull(await User.findBy('email', email))
    await confirmPassword(page)
    await page.getByText('An invitation is on its way').waitFor()
    const user = await User.findByOrFail('email', email)
    assert.equal(user.role, 'Admin')
  })

  test('by invitation leaves the password to them', async ({ assert }) => {
    const { page } = await visitAs()
    const email = someEmail()
    await page.goto('/admin/users/invite')
    await page.getByLabel('E-mail').fill(email)
    await page.getByLabel('Name').fill('Joan Clarke')
    await page.getByRole('button', { name: 'Send invitation' }).click()
    await page.getByText('Invited', { exact: true }).waitFor()
    await page.getByRole('button', { name: 'Resend invitation' }).click()
    await page.getByText('A fresh invitation').waitFor()
    const mails = await db.from('mails').where({ recipient: email, kind: 'invitation' })
    assert.lengthOf(mails, 2)
    await page.getByRole('button', { name: 'Revoke' }).click()
    await page.getByText('was taken back').waitFor()
    assert.isNull(await User.findBy('email', email))
  })
})

test.group('The list of users', (group) => {
  withBrowser(group)

  test('searches, filters and goes back', async ({ assert }) => {
    const marker = `Zx${Date.now().toString(36)}`
    const found = await createUser({ username: `${marker} one` })
    await createUser({ username: `${marker} two`, role: 'Admin' })
    const { page } = await visitAs()
    await page.goto('/admin/users')
    await page.getByLabel('Search').fill(marker)
    await page.getByRole('button', { name: 'Filter' }).click()
    await page.getByText('2 users').waitFor()
    await page.getByLabel('Role').selectOption('User')
    await page.getByRole('button', { name: 'Filter' }).click()
    await page.getByText('1 user', { exact: true }).waitFor()
    await page.getByRole('link', { name: `${marker} one` }).click()
    assert.include(page.url(), found.id)
    await page.goBack()
    await page.getByText('1 user', { exact: true }).waitFor()
    assert.equal(await page.getByLabel('Search').inputValue(), marker)
  })

  test('finds who has not signed in for long', async ({ assert }) => {
    const marker = `Idle${Date.now().toString(36)}`
    const [old, recent] = [
      await createUser({ username: marker }),
      await createUser({ username: marker }),
    ]
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
    await page.goto(`/admin/users?search=${marker}&inactive=30`)
    await page.getByText('1 user', { exact: true }).waitFor()
    assert.equal(await page.getByText(old.email).count(), 1)
  })

  test('walks every order to its end and back', async ({ assert }) => {
    const marker = `Walk${Date.now().toString(36)}`
    for (let index = 0; index < 30; index++) {
      const user = await createUser({ username: marker, password: null })
      if (index % 3 === 0) await user.merge({ mfaEnabled: true, provider: 'google' }).save()
    }
    const { page } = await visitAs()
    const rows = () => page.locator('tbody a').allTextContents()
    const emails = () => page.locator('tbody .person-name > span').allTextContents()
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
      await page.goto(`/admin/users?search=${marker}&sort=${sort}`)
      const first = await emails()
      await page.getByRole('link', { name: 'Next' }).click()
      const second = await emails()
      assert.lengthOf(new Set([...first, ...second]), 30, sort)
      assert.lengthOf(await rows(), 5)
      await page.getByRole('link', { name: 'Previous' }).click()
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

  test('does the same to several, after showing whom', async ({ assert }) => {
    const marker = `Bulk${Date.now().toString(36)}`
    const users = await Promise.all([1, 2].map(() => createUser({ username: marker })))
    const { page } = await visitAs()
    await page.goto(`/admin/users?search=${marker}`)
    await page.locator('[data-tick-all]').check()
    await page.getByRole('button', { name: 'Disable' }).click()
    await page.getByRole('heading', { name: 'Disable these users?' }).waitFor()
    for (const { email } of users) assert.equal(await page.getByText(email).count(), 1)
    await assertAccessible(page, assert)
    await page.getByRole('button', { name: 'Disable' }).click()
    await page.getByText('2 users were disabled.').waitFor()
    for (const user of users) assert.equal(await attributeOf(user, 'isDisabled'), true)
  })

  test('deletes several only for who gives the password again', async ({ assert }) => {
    const marker = `Gone${Date.now().toString(36)}`
    const users = await Promise.all(
      Array.from({ length: 25 }, () => createUser({ username: marker, password: null }))
    )
    const { page, user: admin } = await visitAs()
    await page.goto(`/admin/users?search=${marker}`)
    await page.locator('[data-tick-all]').check()
    await page.getByRole('button', { name: 'Delete' }).click()
    await page.getByRole('button', { name: 'Delete' }).click()
    await confirmPassword(page, 'Wrong-h0rse!')
    assert.include(await page.locator('#field-password-error').innerText(), 'incorrect')
    await confirmPassword(page)
    await page.getByText('25 users were deleted.').waitFor()
    assert.lengthOf(
      await User.query().whereIn(
        'id',
        users.map(({ id }) => id)
      ),
      0
    )
    assert.exists(await User.find(admin.id))
  })

  test('leaves out the account of who acts', async ({ assert }) => {
    const { page, user } = await visitAs()
    await page.goto(`/admin/users?search=${user.email}`)
    await page.getByLabel(`Choose ${user.email}`).check()
    await page.getByRole('button', { name: 'Disable' }).click()
    await page.getByRole('button', { name: 'Disable' }).click()
    await page.getByText('Left as they are').waitFor()
    assert.equal(await attributeOf(user, 'isDisabled'), false)
  })

  test('exports what is filtered, harmless to spreadsheets', async ({ assert }) => {
    const marker = `Csv${Date.now().toString(36)}`
    await createUser({ username: marker })
    const formula = await createUser({ username: `=HYPERLINK("x")${marker}` })
    const { page } = await visitAs()
    await page.goto(`/admin/users?search=${marker}`)
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

test.group('One user', (group) => {
  withBrowser(group)

  test('is edited, and the page tells before and after', async ({ assert }) => {
    const user = await createUser({ username: 'Before' })
    const { page } = await visitAs()
    await page.goto(`/admin/users/${user.id}`)
    await page.getByLabel('Name', { exact: true }).fill('After')
    await page.getByRole('button', { name: 'Save changes' }).click()
    await page.getByText('The changes were saved.').waitFor()
    const rail = await page.getByRole('region', { name: 'Activity' }).innerText()
    assert.match(rail, /Before\s*→\s*After/)
    assert.equal(await attributeOf(user, 'username'), 'After')
  })

  test('changes role only for who gives the password again', async ({ assert }) => {
    const user = await createUser()
    const { page } = await visitAs()
    await page.goto(`/admin/users/${user.id}`)
    await page.getByLabel('Nickname').fill('Boss')
    await page.getByLabel('Role').selectOption('Admin')
    await page.getByRole('button', { name: 'Save changes' }).click()
    assert.equal(await attributeOf(user, 'role'), 'User')
    await confirmPassword(page)
    await page.getByText('The changes were saved.').waitFor()
    await user.refresh()
    assert.equal(user.role, 'Admin')
    assert.equal(user.nickname, 'Boss')
  })

  test('is locked for a while and unlocked', async ({ client, assert }) => {
    const user = await createUser()
    const { page } = await visitAs()
    await page.goto(`/admin/users/${user.id}`)
    await page.getByLabel('For how long').selectOption('1440')
    await page.getByRole('button', { name: 'Lock' }).click()
    await page.getByRole('heading', { name: 'Locked for 24 hours' }).waitFor()
    const locked = await login(client, { email: user.email })
    assert.equal(locked.status(), 403)
    await page.getByRole('button', { name: 'Unlock' }).first().click()
    await page.getByRole('heading', { name: 'Lock', exact: true }).waitFor()
    const free = await login(client, { email: user.email })
    assert.equal(free.status(), 200)
  })

  test('is disabled with a reason, which ends its sessions', async ({ client, assert }) => {
    const user = await createUser()
    await signedIn(client, user)
    const { page } = await visitAs()
    await page.goto(`/admin/users/${user.id}`)
    await page.getByLabel('Reason').fill('Left the company')
    await page.getByRole('button', { name: 'Disable' }).click()
    await page.getByText('Left the company').waitFor()
    assert.lengthOf(await listSessions(user.id), 0)
    await page.getByRole('button', { name: 'Enable' }).first().click()
    await page.getByText('was enabled').waitFor()
    assert.equal(await attributeOf(user, 'isDisabled'), false)
  })

  test('gets a mail that resets the password', async ({ assert }) => {
    const user = await createUser()
    const { page } = await visitAs()
    await page.goto(`/admin/users/${user.id}`)
    await page.getByRole('button', { name: 'Send mail' }).click()
    await page.getByText('A link to set a password is on its way').waitFor()
    const [mail] = await db.from('mails').where('recipient', user.email)
    assert.equal(mail.kind, 'password_reset')
  })

  test('gets a password that works once and is shown once', async ({ client, assert }) => {
    const user = await createUser()
    const { page } = await visitAs()
    await page.goto(`/admin/users/${user.id}`)
    await page.getByRole('button', { name: 'Generate' }).click()
    await confirmPassword(page)
    const password = await page.getByLabel('One-time password').innerText()
    assert.lengthOf(password, 16)
    const old = await login(client, { email: user.email })
    assert.equal(old.status(), 401)
    const response = await login(client, { email: user.email, password })
    assert.equal(response.body().code, 'E_PASSWORD_CHANGE_REQUIRED')
    const { resetToken } = response.body()
    const changed = await client
      .post('/auth/reset-password')
      .json({ token: resetToken, newPassword: 'Another-h0rse!' })
    changed.assertStatus(200)
    const again = await login(client, { email: user.email, password: 'Another-h0rse!' })
    again.assertStatus(200)
    await page.goto(`/admin/users/${user.id}`)
    assert.notInclude(await page.content(), password)
  })

  test('keeps its only way in and loses the others', async ({ assert }) => {
    const user = await createUser({ password: null })
    const identity = { user_id: user.id, email: user.email, created_at: 1, last_used_at: 1 }
    for (const provider of ['google', 'github']) {
      const issuer = `https://${provider}.example`
      await db
        .table('identities')
        .insert({ id: uuidv7(), provider, issuer, subject: user.id, ...identity })
    }
    const { page } = await visitAs()
    await page.goto(`/admin/users/${user.id}`)
    await page.getByRole('button', { name: 'Unlink google' }).click()
    await page.getByText('was unlinked from google').waitFor()
    await page.getByRole('button', { name: 'Unlink github' }).click()
    await page.getByRole('alert').waitFor()
    const left = await db.from('identities').where('user_id', user.id)
    assert.deepEqual(
      left.map(({ provider }) => provider),
      ['github']
    )
  })

  test('shows its sessions and ends one', async ({ client, assert }) => {
    const user = await createUser()
    await signedIn(client, user, {
      userAgent: 'Mozilla/5.0 (Windows NT 10.0) Chrome/142.0.0.0 Safari/537.36',
    })
    await signedIn(client, user)
    const { page } = await visitAs()
    await page.goto(`/admin/users/${user.id}`)
    await page.getByRole('button', { name: 'the session on Chrome on Windows' }).click()
    await page.getByText('was signed out of that session').waitFor()
    assert.lengthOf(await listSessions(user.id), 1)
  })

  test('is deleted after a confirmation and the password', async ({ assert }) => {
    const user = await createUser()
    const { page } = await visitAs()
    await page.goto(`/admin/users/${user.id}`)
    await page.getByRole('link', { name: 'Delete …' }).click()
    await page.getByRole('button', { name: 'Delete for good' }).click()
    await confirmPassword(page)
    await page.getByText(`${user.email} was deleted.`).waitFor()
    assert.isNull(await User.find(user.id))
  })

  test('stays when it is the last administrator', async ({ assert }) => {
    const admin = await createAdmin()
    await db.from('users').where('role', 'Admin').whereNot('id', admin.id).update({ role: 'User' })
    const { page } = await visitAs(admin)
    await page.goto(`/admin/users/${admin.id}/delete`)
    await page.getByRole('button', { name: 'Delete for good' }).click()
    await confirmPassword(page)
    await page.getByRole('alert').waitFor()
    assert.include((await page.getByRole('alert').innerText())!, 'last administrator')
  })

  test('that is gone in another tab is not found', async ({ assert }) => {
    const user = await createUser()
    const { page } = await visitAs()
    await page.goto(`/admin/users/${user.id}`)
    await db.from('users').where('id', user.id).delete()
    await page.getByRole('button', { name: 'Save changes' }).click()
    await page.getByRole('heading', { name: 'Not found' }).waitFor()
    assert.notInclude(await page.content(), 'Error:')
  })
})

test.group('Hostile names', (group) => {
  withBrowser(group)

  test('are shown as the text they are')
    .with(HOSTILE)
    .run(async ({ assert }, name) => {
      const user = await createUser({ username: name })
      const { page } = await visitAs(undefined, { viewport: { width: 360, height: 740 } })
      let dialogs = 0
      page.on('dialog', (dialog) => (dialogs++, dialog.dismiss()))
      for (const path of [`/admin/users/${user.id}`, `/admin/users?search=${user.email}`]) {
        await page.goto(path)
        assert.equal(await page.locator('bdi', { hasText: name }).first().innerText(), name)
        assert.equal(await page.locator('main img, main script').count(), 0)
        await assertAccessible(page, assert)
      }
      assert.equal(dialogs, 0)
    })

  test('of ten kilobytes or with direction marks are refused', async ({ assert }) => {
    const user = await createUser({ username: 'Plain' })
    const { page } = await visitAs(undefined, { javaScriptEnabled: false })
    for (const name of ['evil\u202Egpj.exe', 'y'.repeat(10_240)]) {
      await page.goto(`/admin/users/${user.id}`)
      await page
        .getByLabel('Name', { exact: true })
        .evaluate((input) => input.removeAttribute('maxlength'))
        .catch(() => {})
      await page.getByLabel('Name', { exact: true }).fill(name)
      await page.getByRole('button', { name: 'Save changes' }).click()
      await page.locator('#field-username-error').waitFor()
    }
    assert.equal(await attributeOf(user, 'username'), 'Plain')
  })
})

test.group('A form whose sender was signed out', (group) => {
  withBrowser(group)

  test('is sent on after signing in again', async ({ assert }) => {
    const user = await createUser({ username: 'Before' })
    const { page, user: admin } = await visitAs(undefined, { javaScriptEnabled: false })
    await page.goto(`/admin/users/${user.id}`)
    await page.getByLabel('Name', { exact: true }).fill('Typed for long')
    await endSessions(admin.id)
    await page.getByRole('button', { name: 'Save changes' }).click()
    await page.getByText('You were signed out').waitFor()
    assert.equal(await attributeOf(user, 'username'), 'Before')
    await typeCredentials(page, admin.email, 'Wrong-h0rse!')
    await typeCredentials(page, admin.email)
    await page.getByText('The changes were saved.').waitFor()
    assert.equal(await attributeOf(user, 'username'), 'Typed for long')
  })

  test('is not sent on by somebody else', async ({ assert }) => {
    const user = await createUser({ username: 'Before' })
    const other = await createAdmin()
    const { page, user: admin } = await visitAs()
    await page.goto(`/admin/users/${user.id}`)
    await page.getByLabel('Name', { exact: true }).fill('Typed')
    await endSessions(admin.id)
    await page.getByRole('button', { name: 'Save changes' }).click()
    await typeCredentials(page, other.email)
    await page.getByRole('heading', { name: 'Dashboard' }).waitFor()
    assert.equal(await attributeOf(user, 'username'), 'Before')
  })

  test('goes through after signing in in another tab', async ({ assert }) => {
    const user = await createUser({ username: 'Before' })
    const { page, user: admin } = await visitAs()
    await page.goto(`/admin/users/${user.id}`)
    await page.getByLabel('Name', { exact: true }).fill('From the first tab')
    await endSessions(admin.id)
    const second = await page.context().newPage()
    await second.goto('/admin')
    await typeCredentials(second, admin.email)
    await second.getByRole('heading', { name: 'Dashboard' }).waitFor()
    await page.getByRole('button', { name: 'Save changes' }).click()
    await page.getByText('The changes were saved.').waitFor()
    assert.equal(await attributeOf(user, 'username'), 'From the first tab')
  })
})
