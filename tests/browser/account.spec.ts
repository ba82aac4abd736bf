import { test } from '@japa/runner'
import Identity from '#models/identity'
import sharp from 'sharp'
import { SYSTEM } from '#audit/actor'
import { createKey } from '#auth/api_keys/create_key'
import { BY_PASSWORD } from '#auth/sessions/authentication'
import { startSession } from '#auth/sessions/sessions'
import { createUser, knownDevice, PASSWORD, someAddress } from '#tests/support/fixtures'
import {
  assertAccessible,
  assertAccessibleInEachLook,
  confirmPassword,
  visitAs,
  withBrowser,
} from './visitor.ts'
import type { ApiClient } from '@japa/api-client'
import type { Page } from 'playwright-core'

const PATHS = [
  '/account',
  '/account/security',
  '/account/sessions',
  '/account/applications',
  '/account/activity',
  '/account/data',
  '/account/data/delete',
]

const LONG_NAME = `عبد الرحمن ${'Wolfeschlegelsteinhausen'.repeat(3)}`

/** Makes a user whose every list has entries, with values of the maximum length. */
async function hostileUser(client: ApiClient) {
  const user = await createUser({ username: LONG_NAME })
  const subject = `acme-${user.id}`
  await Identity.create({ userId: user.id, provider: 'acme', issuer: 'https://idp', subject })
  await createKey(user.id, { name: 'W'.repeat(100), scopes: ['profile:read'] }, SYSTEM)
  await knownDevice(client, user)
  const userAgent = `${'Evil'.repeat(120)}/1.0`
  for (let index = 0; index < 5; index++) {
    const device = { id: 'default', ip: someAddress(), userAgent }
    await startSession(user, { device, ...BY_PASSWORD })
  }
  return user
}

/** Opens a page, and unfolds everything on it. */
async function open(page: Page, path: string) {
  await page.goto(path)
  for (const summary of await page.locator('summary').all()) await summary.click()
}

test.group('Every page of the account', (group) => {
  withBrowser(group)

  test('is accessible and fits, light, dark and narrow', async ({ client, assert }) => {
    const user = await hostileUser(client)
    const { page } = await visitAs(user, { reducedMotion: 'reduce' })
    for (const path of PATHS) {
      await open(page, path)
      await assertAccessibleInEachLook(page, assert, { width: 320, height: 640 })
    }
  })

  test('is accessible and fits in German', async ({ client, assert }) => {
    const user = await hostileUser(client)
    const { page } = await visitAs(user, { locale: 'de', viewport: { width: 390, height: 844 } })
    for (const path of PATHS) {
      await open(page, path)
      await assertAccessible(page, assert)
    }
  })

  test('has the navigation in the order of the keyboard', async ({ assert }) => {
    const { page } = await visitAs(await createUser(), { path: '/account' })
    const focused = () => page.evaluate('document.activeElement.textContent.trim()')
    const order: unknown[] = []
    for (let count = 0; count < 5; count++) {
      await page.keyboard.press('Tab')
      order.push(await focused())
    }
    assert.deepEqual(order, ['Skip to content', 'Gatehouse', 'Sign out', 'Profile', 'Security'])
  })

  test('shows where the keyboard is', async ({ assert }) => {
    const { page } = await visitAs(await createUser(), { path: '/account' })
    for (let count = 0; count < 4; count++) await page.keyboard.press('Tab')
    const outline = await page.evaluate('getComputedStyle(document.activeElement).outlineWidth')
    assert.equal(outline, '2px')
  })
})

test.group('Conveniences of the account', (group) => {
  withBrowser(group)

  test('a password is shown while it is typed', async ({ assert }) => {
    const { page } = await visitAs(await createUser(), { path: '/account/security' })
    await page.getByText('Change password').first().click()
    const field = page.getByLabel('New password')
    await field.fill('secret')
    await page.locator('[data-reveal=field-newPassword]').click()
    assert.equal(await field.getAttribute('type'), 'text')
    await page.locator('[data-reveal=field-newPassword]').click()
    assert.equal(await field.getAttribute('type'), 'password')
  })

  test('the meter of a password rises with its length', async ({ assert }) => {
    const { page } = await visitAs(await createUser(), { path: '/account/security' })
    await page.getByText('Change password').first().click()
    const meter = page.locator('meter')
    const strengthOf = async (password: string) => {
      await page.getByLabel('New password').fill(password)
      return meter.evaluate((element: { value?: number }) => Number(element.value))
    }
    assert.isTrue(await meter.isHidden())
    const values: number[] = []
    for (const password of ['abc', 'Abc1!', 'Abcdef1!', 'Abcdefghij1!', 'Abcdefghijklmn1!'])
      values.push(await strengthOf(password))
    assert.deepEqual(
      values,
      values.toSorted((one, other) => one - other)
    )
    assert.isBelow(values[1], 0.5)
    assert.isAbove(values[2], 0.5)
    assert.equal(values[4], 1)
  })

  test('the rules of a password are ticked as they are met', async ({ assert }) => {
    const { page } = await visitAs(await createUser(), { path: '/account/security' })
    await page.getByText('Change password').first().click()
    const met = () => page.locator('.rules .met').allInnerTexts()
    await page.getByLabel('New password').fill('aB3')
    assert.deepEqual(await met(), ['An uppercase letter', 'A lowercase letter', 'A digit'])
    await page.getByLabel('New password').fill('aB3!aB3!')
    assert.lengthOf(await met(), 5)
  })

  test('a picture of a phone is made small enough', async ({ assert }) => {
    const { page, user } = await visitAs(await createUser(), { path: '/account' })
    const noise = { type: 'gaussian' as const, mean: 128, sigma: 60 }
    const create = { width: 2_000, height: 1_500, channels: 3 as const, noise, background: '#000' }
    const buffer = await sharp({ create }).png({ compressionLevel: 0 }).toBuffer()
    assert.isAbove(buffer.length, 2 * 1_024 * 1_024)
    await page
      .getByLabel('Picture')
      .setInputFiles({ name: 'me.png', mimeType: 'image/png', buffer })
    await page.locator('canvas#picture').waitFor()
    await page.getByRole('button', { name: 'Upload' }).click()
    await page.getByText('The picture was changed.').waitFor()
    await user.refresh()
    assert.match(user.avatar!, /^\/avatars\//)
  })
})

test.group('A picture that the browser cannot read', (group) => {
  withBrowser(group)

  test('is told at its field and not sent', async ({ assert }) => {
    const { page } = await visitAs(await createUser(), { path: '/account' })
    const errors: string[] = []
    page.on('pageerror', ({ message }) => errors.push(message))
    const buffer = Buffer.from('\0\0\0\x18ftypheic\0\0\0\0mif1heic')
    const heic = { name: 'IMG_0001.heic', mimeType: 'image/heic', buffer }
    await page.getByLabel('Picture').setInputFiles(heic)
    await page.getByText('Your browser cannot read this picture.').waitFor()
    await page.getByRole('button', { name: 'Upload' }).click()
    assert.equal(await page.getByText('The picture was changed.').count(), 0)
    const create = { width: 20, height: 20, channels: 3 as const, background: '#00f' }
    const png = await sharp({ create }).png().toBuffer()
    const good = { name: 'me.png', mimeType: 'image/png', buffer: png }
    await page.getByLabel('Picture').setInputFiles(good)
    await page.locator('canvas#picture').waitFor()
    await page.getByRole('button', { name: 'Upload' }).click()
    await page.getByText('The picture was changed.').waitFor()
    assert.deepEqual(errors, [])
  })
})

test.group('Sensitive changes of the account', (group) => {
  withBrowser(group)

  test('go on after the password, without JavaScript', async ({ assert }) => {
    const options = { path: '/account/security', javaScriptEnabled: false }
    const { page } = await visitAs(await createUser(), options)
    await page.getByRole('button', { name: 'Set up' }).click()
    await page.getByText('Set up two-step verification.').waitFor()
    await confirmPassword(page)
    await page.getByRole('heading', { name: 'Set up the authenticator app' }).waitFor()
    assert.equal(new URL(page.url()).pathname, '/account/security/mfa/setup')
  })

  test('are not asked for again within minutes', async () => {
    const { page } = await visitAs(await createUser(), { path: '/account/data' })
    await page.getByRole('button', { name: 'Confirm it’s you' }).click()
    await confirmPassword(page, PASSWORD)
    const download = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Download' }).click()
    await download
  })
})
