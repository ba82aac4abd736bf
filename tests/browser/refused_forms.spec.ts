import { test } from '@japa/runner'
import type { Page } from 'playwright-core'
import { createUser, PASSWORD, someEmail } from '#tests/support/fixtures'
import { linkTokenOf } from './layout/hostile_data.ts'
import { assertAccessible, visit, visitAs, withBrowser } from './visitor.ts'

/** Returns the name of the focused field. */
const focused = (page: Page) => page.evaluate<string>('document.activeElement.name')

/** What screen readers announce for the focused field. */
const DESCRIPTION = `document.activeElement.getAttribute('aria-describedby').split(' ')
  .map((id) => document.getElementById(id).textContent.replace(/\\s+/g, ' ')).join(' ')`

const submit = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click()

test.group('A refused form', (group) => {
  withBrowser(group)

  test('has the keyboard at the first error, sign-up', async ({ assert }) => {
    const page = await visit()
    await page.goto('/sign-up')
    assert.equal(await focused(page), 'username')
    await page.getByLabel('Name').fill('Ada')
    await page.getByLabel('E-mail').fill(someEmail())
    await page.getByLabel('Password').fill('short')
    await submit(page, 'Create account')
    await page.locator('.rules .broken').first().waitFor()
    assert.equal(await focused(page), 'password')
    assert.match(await page.title(), /^1 error · /)
    assert.include(await page.evaluate<string>(DESCRIPTION), 'Missing: An uppercase letter')
    await assertAccessible(page, assert)
  })

  test('has the keyboard at the first error, name', async ({ assert }) => {
    const { page } = await visitAs(await createUser(), { path: '/account', locale: 'de' })
    await page.getByLabel('Spitzname').fill('evil\u202Egpj.exe')
    await submit(page, 'Speichern')
    await page.locator('#field-nickname-error').waitFor()
    assert.equal(await focused(page), 'nickname')
    assert.match(await page.title(), /^1 Fehler · /)
  })

  test('has the keyboard at the first error, password', async ({ assert }) => {
    const { page } = await visitAs(await createUser(), { path: '/account/security' })
    await page.getByText('Change password').first().click()
    await page.getByLabel('Current password').fill(PASSWORD)
    await page.getByLabel('New password').fill('short')
    await submit(page, 'Change password')
    await page.locator('.rules .broken').first().waitFor()
    assert.equal(await focused(page), 'newPassword')
  })

  test('says each rule of a password once', async ({ assert }) => {
    const user = await createUser()
    const page = await visit()
    await page.goto(`/reset-password?token=${await linkTokenOf(user, 'password_reset')}`)
    await page.getByLabel('New password').fill('short')
    await submit(page, 'Set password')
    await page.locator('.rules .broken').first().waitFor()
    const text = await page.locator('form').innerText()
    assert.lengthOf(text.match(/uppercase/gi)!, 1)
    await page.getByLabel('New password').fill('Short')
    assert.equal(await page.locator('.rules .broken').count(), 0)
  })
})
