import { test } from '@japa/runner'
import type { BrowserContextOptions } from 'playwright-core'
import { mailedCode } from '#tests/support/address_codes'
import { createUser, someEmail } from '#tests/support/fixtures'
import { application, authorizationRequest } from '#tests/support/oidc'
import { assertAccessible, visit, visitAs, withBrowser } from './visitor.ts'

/** Returns an address of 48 characters, which is too long for a line on a phone. */
function longEmail() {
  const [local] = someEmail().split('@')
  return `${local.slice(0, 12).padEnd(30, 'x')}@long.example.net`.padStart(48, 'a')
}

const SCREENS = [
  { colorScheme: 'light', viewport: { width: 1280, height: 860 }, locale: 'en' },
  { colorScheme: 'dark', viewport: { width: 390, height: 844 }, locale: 'de' },
  { colorScheme: 'light', viewport: { width: 320, height: 640 }, locale: 'fr' },
  { colorScheme: 'dark', viewport: { width: 1280, height: 860 }, locale: 'es' },
] satisfies BrowserContextOptions[]

/** Opens a browser without scripts in which a sign-in waits. */
async function waiting(screen: object = {}) {
  const user = await createUser({ isVerified: false, email: longEmail() })
  const app = await application({ kind: 'first_party' })
  const { url } = await authorizationRequest(app)
  const path = url.pathname + url.search
  const { page } = await visitAs(user, { path, javaScriptEnabled: false, ...screen })
  return { user, page }
}

test.group('Verified address', (group) => {
  withBrowser(group)

  test('the pages fit and are accessible: {locale}, {colorScheme}')
    .with(SCREENS)
    .run(async ({ assert }, screen) => {
      const { user, page } = await waiting({ ...screen, javaScriptEnabled: true })
      await assertAccessible(page, assert)
      await page.locator('summary').click()
      await assertAccessible(page, assert)
      const { link } = await mailedCode(user.email)
      const other = await visit(screen)
      await other.goto(link)
      await assertAccessible(other, assert)
    })

  test('the code goes on without scripts', async ({ assert }) => {
    const { user, page } = await waiting()
    const { code } = await mailedCode(user.email)
    await page.getByLabel('Code of six digits').fill('12')
    await page.getByRole('button', { name: 'Confirm address' }).click()
    assert.isTrue(await page.getByText('not the code of the newest e-mail').isVisible())
    await page.getByLabel('Code of six digits').fill(code)
    await page.getByRole('button', { name: 'Confirm address' }).click()
    await page.waitForURL(/\/oauth\/authorize\/[\w-]+$/)
    await user.refresh()
    assert.isTrue(user.isEmailVerified)
  })
})
