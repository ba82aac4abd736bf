import { test } from '@japa/runner'
import brand from '#config/brand'
import User from '#models/user'
import { createUser, PASSWORD, someEmail } from '#tests/support/fixtures'
import { requestVerificationOfAddress } from '#users/request_verification'
import { mailedToken } from '#tests/support/mail'
import type { Page } from 'playwright-core'
import { assertAccessible, typeCredentials, visit, withBrowser } from './visitor.ts'

const PLAIN = { javaScriptEnabled: false }

async function typeAccount(page: Page, email: string, password = PASSWORD) {
  await page.getByLabel('Name').fill('Ada Lovelace')
  await page.getByLabel('E-mail').fill(email)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Create account' }).click()
}

test.group('Sign-up', (group) => {
  withBrowser(group)

  test('leads from the sign-in to the account, without script', async ({ assert }) => {
    const email = someEmail()
    const page = await visit(PLAIN)
    await page.goto('/account/security')
    await page.getByRole('link', { name: 'Sign up' }).click()
    await typeAccount(page, email)
    await page.getByRole('heading', { name: 'Check your inbox' }).waitFor()
    await page.goto(`/verify-email?token=${await mailedToken(email, 'email_verification')}`)
    await page.getByRole('button', { name: 'confirm the address' }).click()
    await page.getByRole('link', { name: 'Go to your account' }).click()
    await typeCredentials(page, email)
    assert.equal(new URL(page.url()).pathname, '/account')
    const user = await User.findByOrFail('email', email)
    assert.isTrue(user.isEmailVerified)
  })

  test('keeps the page that was asked for', async ({ assert }) => {
    const email = someEmail()
    const page = await visit()
    await page.goto('/account/security')
    await page.getByRole('link', { name: 'Sign up' }).click()
    await typeAccount(page, email, 'short')
    await page.locator('.rules .broken').first().waitFor()
    assert.equal(await page.getByLabel('E-mail').inputValue(), email)
    await typeAccount(page, email)
    await page.getByRole('link', { name: 'Go to the sign-in' }).click()
    await typeCredentials(page, email)
    await page.waitForURL('**/account/security')
  })

  test('is accessible in light, dark and narrow')
    .with([
      { colorScheme: 'light' as const, locale: 'en' },
      { colorScheme: 'dark' as const, locale: 'de' },
    ])
    .run(async ({ assert }, options) => {
      const page = await visit({ ...options, viewport: { width: 320, height: 740 } })
      await page.goto('/sign-up')
      await assertAccessible(page, assert)
      await page.locator('[name=username]').fill('Ada')
      await page.locator('[name=email]').fill(someEmail())
      await page.locator('[name=password]').fill(PASSWORD)
      await page.locator('form button').last().click()
      await page.waitForLoadState()
      await assertAccessible(page, assert)
    })
})

test.group('Mailed links | afterwards', (group) => {
  withBrowser(group)

  test('lead on to the application', async ({ assert, cleanup }) => {
    const before = brand.url
    brand.url = 'https://app.acme.example/welcome'
    cleanup(() => {
      brand.url = before
    })
    const { email } = await createUser({ isVerified: false })
    const page = await visit(PLAIN)
    await requestVerificationOfAddress(email)
    await page.goto(`/verify-email?token=${await mailedToken(email, 'email_verification')}`)
    await page.getByRole('button', { name: 'confirm the address' }).click()
    const link = page.getByRole('link', { name: 'Continue to Gatehouse' })
    assert.equal(await link.getAttribute('href'), 'https://app.acme.example/welcome')
  })

  test('go on with the sign-in that asked for a password', async ({ assert }) => {
    const user = await createUser()
    await user.merge({ mustChangePassword: true }).save()
    const page = await visit(PLAIN)
    await page.goto('/account/security')
    await typeCredentials(page, user.email)
    await page.getByLabel('New password').fill('Another-h0rse!')
    await page.getByRole('button', { name: 'Set password and sign in' }).click()
    assert.equal(new URL(page.url()).pathname, '/account/security')
  })
})
