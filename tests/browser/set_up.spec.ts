import { test } from '@japa/runner'
import db from '@adonisjs/lucid/services/db'
import { issueSetupToken } from '#users/first_admin'
import { PASSWORD, someEmail } from '#tests/support/fixtures'
import { assertAccessible, visit, withBrowser } from './visitor.ts'

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
    const errors = await page.locator('.rules .broken').allTextContents()
    assert.lengthOf(errors, 4)
    assert.equal(await page.getByLabel('E-mail').inputValue(), 'first@example.org')
    assert.equal(await page.getByLabel('Password').inputValue(), '')
  })

  test('is told of on the page before it', async ({ assert }) => {
    const page = await visit()
    await page.goto('/admin')
    await page.getByRole('heading', { name: 'No administrator yet' }).waitFor()
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
        await page.getByRole('heading', { name: /Dashboard|no longer works/ }).waitFor()
      })
    )
    const admins = await db.from('users').where('role', 'Admin')
    assert.lengthOf(admins, 1)
  })
})
