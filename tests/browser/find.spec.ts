import { test } from '@japa/runner'
import { createUser } from '#tests/support/fixtures'
import { assertAccessible, openFilters, visitAs, withBrowser } from './visitor.ts'

const FIND = '#find'

test.group('Finding things', (group) => {
  withBrowser(group)

  test('a key moves to the field on every page: {$self}')
    .with(['/', 'Control+k', 'Meta+k'])
    .run(async ({ assert }, key) => {
      const user = await createUser()
      const { page } = await visitAs()
      await page.goto('/admin/groups')
      await page.keyboard.press(key)
      await page.locator(`${FIND}:focus`).waitFor()
      await page.keyboard.type(user.email)
      await page.keyboard.press('Enter')
      await page.locator(`#found-users a[href="/admin/users/${user.id}"]`).waitFor()
      await assertAccessible(page, assert)
    })

  test('a slash in another field stays a slash', async ({ assert }) => {
    const { page } = await visitAs()
    await page.goto('/admin/groups/create')
    const field = page.getByLabel('Name', { exact: true })
    await field.press('/')
    assert.equal(await field.inputValue(), '/')
  })

  test('a phone has a link, and the key opens the page', async () => {
    const { page } = await visitAs(undefined, {
      path: '/admin',
      viewport: { width: 390, height: 844 },
    })
    await page.locator('.find-link').click()
    await page.locator('#field-q:focus').waitFor()
    await page.goto('/admin/users')
    await page.keyboard.press('/')
    await page.waitForURL('**/admin/search')
  })

  test('works without scripts', async () => {
    const user = await createUser()
    const { page } = await visitAs(undefined, { path: '/admin', javaScriptEnabled: false })
    await page.locator(FIND).fill(user.username)
    await page.locator(FIND).press('Enter')
    await page.locator(`#found-users a[href="/admin/users/${user.id}"]`).first().waitFor()
  })
})

test.group('Filters', (group) => {
  withBrowser(group)

  test('show what is set, each with a way out of it', async ({ assert }) => {
    const { page } = await visitAs()
    await page.goto('/admin/users?status=locked&mfa=no')
    const chips = page.locator('.chip strong')
    assert.deepEqual(await chips.allInnerTexts(), ['Locked', 'Off'])
    await page.getByRole('link', { name: 'Remove the filter Status' }).click()
    await page.waitForURL('**/admin/users?mfa=no')
    assert.deepEqual(await chips.allInnerTexts(), ['Off'])
  })

  test('open and are sent without scripts', async () => {
    const { page } = await visitAs(undefined, { javaScriptEnabled: false })
    await page.goto('/admin/audit')
    await openFilters(page)
    await page.getByLabel('Outcome').selectOption('failure')
    await page.getByRole('button', { name: 'Filter' }).click()
    await page.waitForURL('**outcome=failure**')
    await page.getByRole('link', { name: 'Remove the filter' }).waitFor()
  })
})
