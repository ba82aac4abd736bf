import { test } from '@japa/runner'
import type { Page } from 'playwright-core'
import db from '@adonisjs/lucid/services/db'
import { markChecklist } from '#users/installation'
import { assertAccessible, visitAs, withBrowser } from './visitor.ts'

const step = (page: Page, title: string) => page.locator('li').filter({ hasText: title })

test.group('First steps', (group) => {
  withBrowser(group)

  group.each.setup(async () => {
    await markChecklist('docs_opened_at')
    await db.from('installation').update({ docs_opened_at: null, checklist_dismissed_at: null })
  })

  test('are ticked by what is so')
    .with([{ javaScriptEnabled: true }, { javaScriptEnabled: false }])
    .run(async ({ assert }, options) => {
      const { page, user } = await visitAs(undefined, { path: '/admin', ...options })
      assert.include(await step(page, 'two-step verification').innerText(), 'Set up')
      await user.merge({ mfaEnabled: true }).save()
      await step(page, 'documentation').getByRole('button', { name: 'Open' }).click()
      await page.waitForURL('**/api-docs')
      await page.goto('/admin')
      assert.include(await step(page, 'two-step verification').innerText(), 'Done')
      assert.include(await step(page, 'documentation').innerText(), 'Done')
    })

  test('are accessible and are dismissed for good', async ({ assert }) => {
    const { page, user } = await visitAs(undefined, {
      path: '/admin',
      viewport: { width: 360, height: 740 },
    })
    await assertAccessible(page, assert)
    await page.getByRole('button', { name: 'Dismiss' }).click()
    await page.waitForLoadState()
    assert.equal(await page.getByRole('heading', { name: 'First steps' }).count(), 0)
    const { page: other } = await visitAs(user, { path: '/admin' })
    assert.equal(await other.getByRole('heading', { name: 'First steps' }).count(), 0)
  })

  test('offer no test mail without a mail server', async ({ assert }) => {
    const { page, user } = await visitAs(undefined, { path: '/admin' })
    assert.include(await step(page, 'Send mail').innerText(), 'until you set a mail server')
    const dismiss = page.locator('form[action="/admin/checklist/dismiss"]')
    await dismiss.evaluate((form) => form.setAttribute('action', '/admin/mails/test'))
    await page.getByRole('button', { name: 'Dismiss' }).click()
    await page.getByText('a test mail would only become a file').waitFor()
    assert.lengthOf(await db.from('mails').where({ kind: 'test', recipient: user.email }), 0)
  })
})
