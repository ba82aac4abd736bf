import { test } from '@japa/runner'
import { endSessions } from '#auth/sessions/sessions'
import { createAdmin, createUser, login, signedIn } from '#tests/support/fixtures'
import { assertAccessible, attributeOf, typeCredentials, visitAs, withBrowser } from './visitor.ts'

/** The scrollable boxes whose contents are wider than the box. */
const WIDE_ELEMENTS = `[...document.querySelectorAll('.scroll, .main, .card')]
  .filter((box) => box.scrollWidth > box.clientWidth + 1)
  .map((box) => box.className)`

const HOSTILE = [
  '<script>document.title="owned"</script>',
  '{{ 7 * 7 }} @{{ 7 * 7 }} {{{ 7 * 7 }}}',
  '"><img src=x onerror=alert(1)>',
  'x'.repeat(100),
]

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
        assert.equal(
          await page.locator('bdi, [dir=auto]', { hasText: name }).first().innerText(),
          name
        )
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

/** The long name of a client, without a blank at which a line could break. */
const LONG_AGENT = 'W'.repeat(500)

test.group('Hostile user agents', (group) => {
  withBrowser(group)

  test('leave every button within reach')
    .with([{ width: 1280 }, { width: 390 }])
    .run(async ({ client, assert }, { width }) => {
      const user = await createUser()
      await login(client, { email: user.email, password: 'Wrong-h0rse!', userAgent: LONG_AGENT })
      await signedIn(client, user, { userAgent: LONG_AGENT })
      const { page } = await visitAs(undefined, { viewport: { width, height: 800 } })
      const paths = ['/admin/audit', '/admin/sessions', '/admin', `/admin/users/${user.id}`]
      for (const path of paths) {
        await page.goto(path)
        const wide = await page.evaluate(WIDE_ELEMENTS)
        assert.deepEqual(wide, [], path)
        await assertAccessible(page, assert)
      }
    })

  test('are whole in the event that records them', async ({ client, assert }) => {
    const user = await createUser()
    await login(client, { email: user.email, password: 'Wrong-h0rse!', userAgent: LONG_AGENT })
    const { page } = await visitAs()
    await page.goto(`/admin/audit?account=${user.id}`)
    const details = page.locator('details', { hasText: LONG_AGENT })
    assert.equal(await details.locator('summary').innerText(), LONG_AGENT.slice(0, 40))
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

  test('is sent on after a sign-out in another tab', async ({ assert }) => {
    const user = await createUser({ username: 'Before' })
    const { page, user: admin } = await visitAs()
    await page.goto(`/admin/users/${user.id}`)
    await page.getByLabel('Name', { exact: true }).fill('Typed for long')
    const other = await page.context().newPage()
    await other.goto('/admin')
    await other.getByRole('button', { name: 'Sign out' }).click()
    await page.getByRole('button', { name: 'Save changes' }).click()
    await typeCredentials(page, admin.email)
    await page.getByText('The changes were saved.').waitFor()
    assert.equal(await attributeOf(user, 'username'), 'Typed for long')
  })

  test('leaves alone what another tab has changed', async ({ assert }) => {
    const user = await createUser({ username: 'Before' })
    const { page } = await visitAs()
    await page.goto(`/admin/users/${user.id}`)
    const other = await page.context().newPage()
    await other.goto(`/admin/users/${user.id}`)
    await other.getByLabel('Name', { exact: true }).fill('After')
    await other.getByRole('button', { name: 'Save changes' }).click()
    await other.getByText('The changes were saved.').waitFor()
    await page.getByLabel('Nickname').fill('Nick')
    await page.getByRole('button', { name: 'Save changes' }).click()
    await page.getByText('The changes were saved.').waitFor()
    assert.equal(await attributeOf(user, 'username'), 'After')
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
