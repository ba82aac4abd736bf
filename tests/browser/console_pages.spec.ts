import { test } from '@japa/runner'
import db from '@adonisjs/lucid/services/db'
import { sealPending } from '#audit/chain/sealer'
import { v7 as uuidv7 } from 'uuid'
import encryption from '@adonisjs/core/services/encryption'
import { listSessions } from '#auth/sessions/sessions'
import { createUser, login, PASSWORD, signedIn, someEmail } from '#tests/support/fixtures'
import {
  assertAccessibleInEachLook,
  CONSOLE_PATHS,
  openFilters,
  visitAs,
  withBrowser,
} from './visitor.ts'

test.group('Every page of the console', (group) => {
  withBrowser(group)

  test('is accessible and fits, light, dark and narrow', async ({ client, assert }) => {
    const { page, user } = await visitAs(undefined, { reducedMotion: 'reduce' })
    const other = await createUser({ isVerified: true })
    await signedIn(client, other)
    const own = [`/admin/users/${other.id}`, `/admin/users/${user.id}`]
    for (const path of [...CONSOLE_PATHS, ...own, `/admin/users/${other.id}/delete`]) {
      await page.goto(path)
      await assertAccessibleInEachLook(page, assert)
    }
  })

  test('keeps to its policy', async ({ assert }) => {
    const { page, user } = await visitAs()
    const complaints: string[] = []
    page.on('console', (message) => {
      const isExpected = /404 \(Not Found\)/.test(message.text())
      if (message.type() === 'error' && !isExpected) complaints.push(message.text())
    })
    page.on('pageerror', (error) => complaints.push(error.message))
    for (const path of [...CONSOLE_PATHS, `/admin/users/${user.id}`]) await page.goto(path)
    assert.deepEqual(complaints, [])
  })

  test('is reached by keyboard alone', async ({ assert }) => {
    const { page } = await visitAs(undefined, { path: '/admin' })
    await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    assert.equal(await page.evaluate('document.activeElement.id'), 'content')
  })

  test('refuses everybody who is not signed in', async ({ client, assert }) => {
    const paths = CONSOLE_PATHS.slice(0, -1).concat('/admin/users.csv', '/admin/plots/locks.svg')
    for (const path of paths) {
      const response = await client.get(path).redirects(0)
      assert.equal(response.status(), 302, path)
      assert.include(response.header('location')!, '/sign-in', path)
    }
  })

  test('refuses a form without its token, and does nothing', async ({ assert }) => {
    const { page } = await visitAs()
    const user = await createUser()
    for (const action of ['delete', 'disable', 'lock', 'sessions/end', 'password']) {
      const response = await page.request.post(`/admin/users/${user.id}/${action}`, { form: {} })
      assert.equal(response.status(), 403)
      assert.include(await response.text(), 'This form has expired')
    }
    await user.refresh()
    assert.isFalse(user.isDisabled)
  })
})

test.group('Sessions of everybody', (group) => {
  withBrowser(group)

  test('are ended at a click', async ({ client, assert }) => {
    const user = await createUser()
    const { headers } = await signedIn(client, user)
    const { page } = await visitAs()
    await page.goto('/admin/sessions')
    await page.getByRole('button', { name: `the session of ${user.email}` }).click()
    await page.getByText('The session ended.').waitFor()
    assert.lengthOf(await listSessions(user.id), 0)
    const refused = await client.get('/auth/profile').headers(headers)
    refused.assertStatus(401)
  })

  test('are narrowed to one user', async ({ client, assert }) => {
    const [one, other] = [await createUser(), await createUser()]
    await signedIn(client, one)
    await signedIn(client, other)
    const { page } = await visitAs()
    await page.goto('/admin/sessions')
    await page.getByLabel('User', { exact: true }).fill(one.email)
    await page.getByRole('button', { name: 'Filter' }).click()
    await page.getByRole('button', { name: `the session of ${one.email}` }).waitFor()
    await page.waitForLoadState()
    assert.equal(await page.getByText(other.email).count(), 0)
    await page.goto('/admin/sessions?user=nobody%40example.org')
    await page.getByText('No sessions of this user').waitFor()
  })
})

test.group('Audit log', (group) => {
  withBrowser(group)

  test('is filtered by event and user', async ({ client, assert }) => {
    const user = await createUser({ username: 'Filtered' })
    await login(client, { email: user.email, password: 'Wrong-h0rse!' })
    await login(client, { email: user.email })
    const { page } = await visitAs()
    await page.goto('/admin/audit')
    await page.getByLabel('Account').fill(user.email)
    await openFilters(page)
    await page.getByLabel('Event').selectOption('login.failed')
    await page.getByRole('button', { name: 'Filter' }).click()
    await page.getByText('(failed)').waitFor()
    await page.waitForLoadState()
    assert.equal(await page.locator('tbody tr').count(), 1)
    await page.goto(`/admin/audit?account=${someEmail()}`)
    await page.getByText('No events match').waitFor()
  })

  test('proves that it is whole, and tells when it is not', async ({ assert }) => {
    const { page } = await visitAs()
    await page.goto('/admin/audit')
    await page.getByRole('button', { name: 'Verify the log' }).click()
    await page.getByText('The log is intact').waitFor()
    await sealPending()
    const { hash } = await db.from('audit_chain').firstOrFail()
    const head = () => db.from('audit_chain')
    await head().update({ hash: 'x'.repeat(43) })
    await page.getByRole('button', { name: 'Verify the log' }).click()
    const alert = await page.getByRole('alert').innerText()
    await head().update({ hash })
    assert.include(alert, 'The log was tampered with')
  })
})

test.group('Mails', (group) => {
  withBrowser(group)

  test('that failed are queued again', async ({ assert }) => {
    const recipient = someEmail()
    const id = uuidv7()
    await db.table('mails').insert({
      id,
      kind: 'password_changed',
      recipient,
      payload: encryption.encrypt({}),
      status: 'failed',
      attempts: 12,
      last_error: 'Connection refused',
      created_at: Date.now(),
    })
    const { page } = await visitAs()
    await page.goto('/admin/mails?status=failed')
    await page.getByText('Connection refused').waitFor()
    await page.getByRole('button', { name: `the mail to ${recipient}` }).click()
    await page.getByText('The e-mail was queued again.').waitFor()
    const mail = await db.from('mails').where('id', id).first()
    assert.notEqual(mail?.status, 'failed')
  })
})

test.group('Own user', (group) => {
  withBrowser(group)

  test('changes the password and ends other sessions', async ({ client, assert }) => {
    const { page, user } = await visitAs()
    await signedIn(client, user)
    await page.goto('/admin/account/security')
    await page.getByText('Change password').first().click()
    await page.getByLabel('Current password').fill('Wrong-h0rse!')
    await page.getByLabel('New password').fill('Another-h0rse!')
    await page.getByRole('button', { name: 'Change password' }).click()
    const error = page.locator('#field-currentPassword-error')
    assert.include(await error.innerText(), 'Current password is incorrect')
    await page.getByLabel('Current password').fill(PASSWORD)
    await page.getByLabel('New password').fill('Another-h0rse!')
    await page.getByRole('button', { name: 'Change password' }).click()
    await page.getByText('Your password was changed').waitFor()
    assert.lengthOf(await listSessions(user.id), 1)
  })

  test('ends one of its other sessions', async ({ client, assert }) => {
    const { page, user } = await visitAs()
    await signedIn(client, user)
    await page.goto('/admin/account/sessions')
    await page.getByRole('button', { name: 'End the session' }).click()
    await page.getByText('The session ended.').waitFor()
    assert.lengthOf(await listSessions(user.id), 1)
  })
})
