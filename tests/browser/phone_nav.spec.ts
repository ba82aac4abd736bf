import { test } from '@japa/runner'
import type { Page } from 'playwright-core'
import { createAdmin } from '#tests/support/fixtures'
import { signWith } from '#tests/support/signing_keys'
import { prepareKeys } from '#auth/signing_keys/prepare_keys'
import { assertAccessible, visitAs, withBrowser } from './visitor.ts'

const PHONE = { width: 390, height: 844 }

/** Returns the items in the bar, except the items behind “More”. */
function barOf(page: Page) {
  return page.locator('.nav > ul').getByRole('listitem').allInnerTexts()
}

test.group('Navigation on a phone', (group) => {
  withBrowser(group)
  signWith(group, 'ES256')

  test('shows five items and More', async ({ assert }) => {
    await prepareKeys()
    const { page } = await visitAs(undefined, { path: '/admin', viewport: PHONE })
    const bar = await barOf(page)
    assert.deepEqual(
      bar.map((text) => text.trim()),
      ['Dashboard', 'Users', 'Groups', 'Sessions', 'Audit log', 'More']
    )
    await page.getByRole('button', { name: 'More' }).click()
    await assertAccessible(page, assert)
    await page.getByRole('link', { name: 'Applications' }).click()
    await page.getByRole('heading', { name: 'Applications', exact: true, level: 1 }).waitFor()
  })

  test('keeps the open page in view')
    .with(['/admin/clients', '/admin/keys', '/admin/account'])
    .run(async ({ assert }, path) => {
      await prepareKeys()
      const { page } = await visitAs(undefined, { viewport: PHONE, path })
      const bar = await barOf(page)
      assert.lengthOf(bar, 6)
      const box = await page.locator('.nav > ul [aria-current=page]').boundingBox()
      assert.isAtLeast(box!.x, 0)
      assert.isAtMost(box!.x + box!.width, PHONE.width)
    })

  test('closes More with Escape', async () => {
    const { page } = await visitAs(undefined, { path: '/admin', viewport: PHONE })
    await page.getByRole('button', { name: 'More' }).press('Enter')
    await page.getByRole('link', { name: 'Account' }).waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('link', { name: 'Account' }).waitFor({ state: 'hidden' })
  })

  test('of the account leads administrators to the console', async () => {
    const admin = await createAdmin()
    const { page } = await visitAs(admin, { viewport: PHONE, path: '/account' })
    await page.getByRole('button', { name: 'More' }).click()
    await page.getByRole('link', { name: 'Console' }).click()
    await page.getByRole('heading', { name: 'Dashboard' }).waitFor()
  })
})
