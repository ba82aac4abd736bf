import { test } from '@japa/runner'
import { generate } from 'otplib'
import mfa from '#config/mfa'
import { createAdmin, createUser, PASSWORD } from '#tests/support/fixtures'
import type { Page } from 'playwright-core'
import type User from '#models/user'
import {
  assertAccessible,
  confirmPassword,
  typeCredentials,
  visit,
  visitAs,
  withBrowser,
} from './visitor.ts'

/** Returns the code that an app shows now, or some steps from now. */
function codeOf(secret: string, steps = 0) {
  return generate({ secret, epoch: Math.floor(Date.now() / 1_000) + steps * 30 })
}

const SECURITY = '/admin/account/security'

/** Requests a secret on the user's own page, after a confirmation by password. */
async function setUp(page: Page) {
  await page.goto(SECURITY)
  await page.getByRole('button', { name: 'Set up' }).click()
  await confirmPassword(page)
  await page.getByLabel('Secret').waitFor()
}

/** Turns the second factor on. */
async function enrol(page: Page) {
  await setUp(page)
  return turnOn(page)
}

async function turnOn(page: Page) {
  const shown = await page.getByLabel('Secret').innerText()
  const secret = shown.replaceAll(' ', '')
  await page.getByLabel('Code', { exact: true }).fill(await codeOf(secret, -1))
  await page.getByRole('button', { name: 'Turn on' }).click()
  await page.locator('#codes code').last().waitFor()
  await page.waitForLoadState()
  const codes = await page.locator('#codes code').allTextContents()
  return { secret, codes }
}

async function signInWithCode(page: Page, user: User, code: string) {
  await page.goto('/sign-in?next=/admin')
  await typeCredentials(page, user.email)
  await page.getByLabel('Code').fill(code)
  await page.getByRole('button', { name: 'Verify' }).click()
}

test.group('Second factor of an administrator', (group) => {
  withBrowser(group)

  test('is set up with a QR code and gives backup codes', async ({ assert }) => {
    const { page, user } = await visitAs(undefined, { viewport: { width: 360, height: 740 } })
    await setUp(page)
    const width = await page.locator('img.qr').evaluate((image) => (image as any).naturalWidth)
    assert.isAbove(width, 100)
    await assertAccessible(page, assert)
    const { codes } = await turnOn(page)
    assert.lengthOf(codes, 10)
    for (const code of codes) assert.match(code, /^[A-HJ-NP-Z2-9]{5} [A-HJ-NP-Z2-9]{5}$/)
    const sheet = await page.locator('main').innerText()
    assert.include(sheet, user.email)
    assert.include(sheet, 'Gatehouse')
    assert.match(sheet, /\d+ \w+ \d{4}/)
    await page.goto(SECURITY)
    await page.getByText('10 left.').waitFor()
    await assertAccessible(page, assert)
    await user.refresh()
    assert.equal(Boolean(user.mfaEnabled), true)
    await page.goto(SECURITY)
    assert.notInclude(await page.content(), codes[0])
    await assertAccessible(page, assert)
  })

  test('keeps the secret on the page after a wrong code', async ({ assert }) => {
    const { page } = await visitAs(undefined, { javaScriptEnabled: false })
    await setUp(page)
    const secret = await page.getByLabel('Secret').innerText()
    await page.getByLabel('Code', { exact: true }).fill('000000')
    await page.getByRole('button', { name: 'Turn on' }).click()
    await page.locator('#field-code-error').waitFor()
    assert.equal(await page.getByLabel('Secret').innerText(), secret)
  })

  test('is asked for at the sign-in', async ({ assert }) => {
    const { page: first, user } = await visitAs()
    const { secret, codes } = await enrol(first)
    const page = await visit()
    await signInWithCode(page, user, '000000')
    assert.include(await page.locator('#field-code-error').innerText(), 'attempts remaining')
    await page.getByLabel('Code').fill(await codeOf(secret))
    await page.getByRole('button', { name: 'Verify' }).click()
    await page.getByRole('heading', { name: 'Dashboard' }).waitFor()
    const other = await visit()
    await signInWithCode(other, user, codes[0])
    await other.getByRole('heading', { name: 'Dashboard' }).waitFor()
    const third = await visit()
    await signInWithCode(third, user, codes[0])
    await third.locator('#field-code-error').waitFor()
  })

  test('is asked for again before deleting', async ({ assert }) => {
    const { page, user: admin } = await visitAs()
    const { secret } = await enrol(page)
    const user = await createUser()
    await page.goto(`/admin/users/${user.id}/delete`)
    await page.getByRole('button', { name: 'Delete permanently' }).click()
    await page.getByLabel('Password').fill(PASSWORD)
    await page.getByLabel('Code').fill('000000')
    await page.getByRole('button', { name: 'Continue' }).click()
    await page.locator('#field-code-error').waitFor()
    await assertAccessible(page, assert)
    await page.getByLabel('Password').fill(PASSWORD)
    await page.getByLabel('Code').fill(await codeOf(secret))
    await page.getByRole('button', { name: 'Continue' }).click()
    await page.getByText(`${user.email} was deleted.`).waitFor()
    assert.equal(admin.role, 'Admin')
  })

  test('is reset by another administrator', async ({ assert }) => {
    const { page: owner, user } = await visitAs()
    await enrol(owner)
    const { page } = await visitAs()
    await page.goto(`/admin/users/${user.id}`)
    await page.getByRole('button', { name: 'Reset MFA' }).click()
    await page.getByLabel('Password').fill(PASSWORD)
    await page.getByRole('button', { name: 'Continue' }).click()
    await page.getByText('The second factor of').waitFor()
    await user.refresh()
    assert.equal(Boolean(user.mfaEnabled), false)
  })

  test('is turned off with both factors', async ({ assert }) => {
    const { page, user } = await visitAs()
    const { codes } = await enrol(page)
    await page.goto(SECURITY)
    await page.getByRole('button', { name: 'Turn off' }).click()
    await page.getByLabel('Password').fill(PASSWORD)
    await page.getByLabel('Code').fill(codes[3])
    await page.getByRole('button', { name: 'Continue' }).click()
    await page.getByText('Two-step verification is off.').waitFor()
    await user.refresh()
    assert.equal(Boolean(user.mfaEnabled), false)
  })

  test('comes first where it is required', async ({ assert, cleanup }) => {
    mfa.isRequiredOfAdmins = true
    cleanup(() => {
      mfa.isRequiredOfAdmins = false
    })
    const { page } = await visitAs(await createAdmin(), { path: '/admin' })
    assert.equal(new URL(page.url()).pathname, SECURITY)
    await page.goto('/admin/users')
    await page.getByText('need two-step verification').waitFor()
    const { codes } = await enrol(page)
    await page.goto('/admin/users')
    assert.equal(new URL(page.url()).pathname, '/confirm')
    await page.getByLabel('Password').fill(PASSWORD)
    await page.getByLabel('Code').fill(codes[0])
    await page.getByRole('button', { name: 'Continue' }).click()
    await page.waitForURL('**/admin/users')
    await page.goto(SECURITY)
    assert.equal(await page.getByRole('button', { name: 'Turn off' }).count(), 0)
  })
})
