import { test } from '@japa/runner'
import type { Page } from 'playwright-core'
import { createUser } from '#tests/support/fixtures'
import { deliverMails } from '#tests/support/mail'
import { visitAs, withBrowser } from './visitor.ts'

const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click()

/** Opens each page that shows a secret once. */
const SECRETS: Record<string, (page: Page, userId: string) => Promise<unknown>> = {
  'one-time password': async (page, userId) => {
    await page.goto(`/admin/users/${userId}`)
    await press(page, 'Generate')
  },
  'key of a user': async (page, userId) => {
    await page.goto(`/admin/users/${userId}`)
    await page.locator('#key-name').fill('Report')
    await page.locator('#api-keys [type=checkbox]').first().check()
    await page.locator('#api-keys form.card-body button').click()
  },
  'link of a mail': async (page, userId) => {
    await page.goto(`/admin/users/${userId}`)
    await press(page, 'Send e-mail')
    await deliverMails()
    await page.goto(`/admin/users/${userId}`)
    await press(page, 'Copy link')
  },
}

test.group('Copying a secret', (group) => {
  withBrowser(group)

  for (const [name, open] of Object.entries(SECRETS)) {
    test(`says that it is done: ${name}`, async ({ assert }) => {
      const user = await createUser()
      const { page } = await visitAs(undefined, {
        idleMinutes: 1,
        permissions: ['clipboard-read', 'clipboard-write'],
      })
      await open(page, user.id)
      const secret = await page.locator('output.secret').innerText()
      await page.locator('[data-copy]').click()
      await page.getByText('Copied').waitFor()
      assert.equal(await page.evaluate('navigator.clipboard.readText()'), secret)
    })
  }
})
