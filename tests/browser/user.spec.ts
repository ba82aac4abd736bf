import { test } from '@japa/runner'
import db from '@adonisjs/lucid/services/db'
import { v7 as uuidv7 } from 'uuid'
import User from '#models/user'
import { listDevices } from '#auth/devices/list_devices'
import { listSessions } from '#auth/sessions/sessions'
import {
  createAdmin,
  createUser,
  login,
  PASSWORD,
  signedIn,
  someEmail,
} from '#tests/support/fixtures'
import { assertAccessible, attributeOf, confirmPassword, visitAs, withBrowser } from './visitor.ts'

test.group('The page of a user', (group) => {
  withBrowser(group)

  test('keeps the button that saves within reach')
    .with([
      { width: 1280, height: 420 },
      { width: 390, height: 640 },
    ])
    .run(async ({ assert }, viewport) => {
      const user = await createUser({ username: 'Before' })
      const { page } = await visitAs(undefined, { viewport })
      await page.goto(`/admin/users/${user.id}`)
      await page.getByRole('link', { name: 'Details' }).click()
      await page.getByLabel('Name', { exact: true }).fill('After')
      const box = await page.getByRole('button', { name: 'Save changes' }).boundingBox()
      const nav = await page.getByRole('navigation', { name: 'Console' }).boundingBox()
      const end = viewport.width < 820 ? nav!.y : viewport.height
      assert.isAtMost(box!.y + box!.height, end)
    })

  test('leads to each of its sections', async ({ assert }) => {
    const user = await createUser()
    const { page } = await visitAs(undefined, { viewport: { width: 390, height: 844 } })
    await page.goto(`/admin/users/${user.id}`)
    const links = page.getByRole('navigation', { name: 'Sections' }).getByRole('link')
    const targets = await links.evaluateAll((all) => all.map((link) => link.getAttribute('href')!))
    const titles = await links.allInnerTexts()
    for (const target of targets) await page.locator(target).getByRole('heading').first().waitFor()
    assert.includeMembers(titles, ['API keys', 'Known devices', 'Danger zone'])
    await assertAccessible(page, assert)
  })

  test('copies the id at a click', async ({ assert }) => {
    const user = await createUser()
    const permissions = ['clipboard-read', 'clipboard-write']
    const { page } = await visitAs(undefined, { permissions })
    await page.goto(`/admin/users/${user.id}`)
    await page.getByRole('button', { name: 'Copy the id' }).click()
    await page.getByText('Copied').waitFor()
    assert.equal(await page.evaluate('navigator.clipboard.readText()'), user.id)
  })

  test('tells a name that is cut in its tooltip', async ({ assert }) => {
    const name = 'W'.repeat(100)
    const user = await createUser({ username: name })
    const { page } = await visitAs()
    await page.goto(`/admin/users/${user.id}`)
    const heading = page.getByRole('heading', { level: 1 })
    const box = await heading.boundingBox()
    assert.isBelow(box!.height, 70)
    assert.equal(await heading.getAttribute('title'), name)
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

  test('lists known devices and withdraws one', async ({ client, assert }) => {
    const user = await createUser()
    await signedIn(client, user, { deviceId: 'laptop', userAgent: 'x'.repeat(500) })
    const { page } = await visitAs()
    await page.goto(`/admin/users/${user.id}`)
    const devices = page.getByRole('region', { name: 'Known devices' })
    await devices.getByRole('button', { name: /Forget/ }).click()
    await page.getByText('was forgotten').waitFor()
    assert.include(await devices.innerText(), 'No known devices.')
    assert.deepEqual(await listDevices(user.id), [])
  })

  test('changes role only for who gives the password again', async ({ assert }) => {
    const user = await createUser()
    const { page } = await visitAs()
    await page.goto(`/admin/users/${user.id}`)
    await page.getByLabel('Nickname').fill('Boss')
    await page.getByLabel('Role').selectOption('Admin')
    await page.getByRole('button', { name: 'Save changes' }).click()
    await page.getByRole('heading', { name: 'Confirm it’s you' }).waitFor()
    assert.equal(await attributeOf(user, 'role'), 'User')
    await confirmPassword(page)
    await page.getByText('The changes were saved.').waitFor()
    await user.refresh()
    assert.equal(user.role, 'Admin')
    assert.equal(user.nickname, 'Boss')
  })

  test('is no administrator by a role in the address', async ({ assert }) => {
    const { page } = await visitAs()
    const email = someEmail()
    await page.goto('/admin/users/create')
    await page.getByLabel('E-mail', { exact: true }).fill(email)
    await page.getByLabel('Name', { exact: true }).fill('Mallory')
    await page.getByLabel('Role').selectOption('Admin')
    await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
    const form = page.locator('form[action="/admin/users"]')
    await form.evaluate((each) => each.setAttribute('action', '/admin/users?role=User'))
    await page.getByRole('button', { name: 'Create' }).click()
    await page.getByRole('heading', { name: 'Confirm it’s you' }).waitFor()
    assert.isNull(await User.findBy('email', email))
  })

  test('waits for the link to an address of their own', async ({ assert }) => {
    const { page, user } = await visitAs()
    const email = `${'long'.repeat(10)}.${someEmail()}`
    await page.goto(`/admin/users/${user.id}`)
    await page.getByLabel('E-mail', { exact: true }).fill(email)
    await page.getByRole('button', { name: 'Save changes' }).click()
    await confirmPassword(page)
    await page.getByText(`Waiting for confirmation: ${email}`).waitFor()
    assert.notEqual(await attributeOf(user, 'email'), email)
    await page.getByRole('button', { name: 'Cancel the change of address' }).click()
    await page.getByText(`${user.email} stays the address of the account.`).waitFor()
    assert.equal(await page.getByText('Waiting for confirmation').count(), 0)
  })

  test('loses a pending address to an administrator', async ({ assert }) => {
    const user = await createUser()
    const pending = { pending_email: someEmail(), pending_email_at: Date.now() }
    await db.from('users').where('id', user.id).update(pending)
    const { page } = await visitAs(undefined, { viewport: { width: 390, height: 844 } })
    await page.goto(`/admin/users/${user.id}`)
    await assertAccessible(page, assert)
    await page.getByRole('button', { name: 'Cancel the change of address' }).click()
    await page.getByText(`${user.email} stays the address of the account.`).waitFor()
    assert.isNull(await attributeOf(user, 'pendingEmail'))
  })

  test('gets another address only from who gives the password again', async ({ assert }) => {
    const user = await createUser()
    const email = someEmail()
    const { page } = await visitAs()
    await page.goto(`/admin/users/${user.id}`)
    await page.getByLabel('E-mail', { exact: true }).fill(email)
    await page.getByRole('button', { name: 'Save changes' }).click()
    await page.getByRole('heading', { name: 'Confirm it’s you' }).waitFor()
    assert.equal(await attributeOf(user, 'email'), user.email)
    await confirmPassword(page)
    await page.getByText('The changes were saved.').waitFor()
    assert.equal(await attributeOf(user, 'email'), email)
  })

  test('is locked for a while and unlocked', async ({ client, assert }) => {
    const user = await createUser()
    const { page } = await visitAs()
    await page.goto(`/admin/users/${user.id}`)
    await page.getByLabel('Lock for').selectOption('1440')
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
    await page
      .getByText(/Left the company/)
      .first()
      .waitFor()
    assert.lengthOf(await listSessions(user.id), 0)
    await page.getByRole('button', { name: 'Enable' }).first().click()
    await page.getByText('was enabled').waitFor()
    assert.equal(await attributeOf(user, 'isDisabled'), false)
  })

  test('gets a mail that resets the password', async ({ assert }) => {
    const user = await createUser()
    const { page } = await visitAs()
    await page.goto(`/admin/users/${user.id}`)
    await page.getByRole('button', { name: 'Send e-mail' }).click()
    await page.getByText('was written to a file').waitFor()
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

  test('keeps its only sign-in method and loses the others', async ({ assert }) => {
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
    await page.getByText('The session of').waitFor()
    assert.lengthOf(await listSessions(user.id), 1)
  })

  test('is deleted after a confirmation and the password', async ({ assert }) => {
    const user = await createUser()
    const { page } = await visitAs()
    await page.goto(`/admin/users/${user.id}`)
    await page.getByRole('link', { name: 'Delete …' }).click()
    await page.getByText('API keys, known devices').waitFor()
    await page.getByRole('button', { name: 'Delete permanently' }).click()
    await confirmPassword(page)
    await page.getByText(`${user.email} was deleted.`).waitFor()
    assert.isNull(await User.find(user.id))
  })

  test('stays when it is the last administrator', async ({ assert }) => {
    const admin = await createAdmin()
    await db.from('users').where('role', 'Admin').whereNot('id', admin.id).update({ role: 'User' })
    const { page } = await visitAs(admin)
    await page.goto(`/admin/users/${admin.id}/delete`)
    await page.getByRole('button', { name: 'Delete permanently' }).click()
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
    await page.waitForLoadState()
    assert.notInclude(await page.content(), 'Error:')
  })
})
