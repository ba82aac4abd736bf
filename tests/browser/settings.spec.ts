import { test } from '@japa/runner'
import brand from '#config/brand'
import { listSettings } from '#settings/list_settings'
import { forgetSettings } from '#tests/support/settings'
import { assertAccessible, confirmPassword, visitAs, withBrowser } from './visitor.ts'

const PATH = '/admin/settings'

/** The sign-in is a recent proof, unless the options make it too old. */
const open = (options = {}) => visitAs(undefined, { idleMinutes: 1, path: PATH, ...options })

test.group('Settings in the console', (group) => {
  withBrowser(group)
  group.each.teardown(forgetSettings)

  test('a name and a colour are on the next page, scripts: {javaScriptEnabled}')
    .with([{ javaScriptEnabled: true }, { javaScriptEnabled: false }])
    .run(async ({ assert }, options) => {
      const { page } = await open(options)
      await page.locator('#field-BRAND_NAME').fill('Acme & Sons')
      await page.locator('#field-BRAND_COLOR').fill('#7a1f5c')
      await page.locator('form[action="/admin/settings/brand"] .button-primary').click()
      await page.getByText('The settings were saved.').waitFor()
      assert.equal(await page.locator('.side .brand-name').innerText(), 'Acme & Sons')
      assert.equal(brand.color, '#7a1f5c')
      const row = page.locator('#all tr').filter({ hasText: 'BRAND_NAME' })
      assert.include(await row.innerText(), 'Console')
      /** Without scripts, axe-core never finishes. */
      if (options.javaScriptEnabled) await assertAccessible(page, assert)
    })

  test('pictures show a brand before it is saved', async ({ assert }) => {
    const { page } = await open()
    const picture = page.locator('img[data-preview]').first()
    const isDrawn = () => picture.evaluate((image: any) => image.complete && image.naturalWidth > 0)
    assert.isTrue(await isDrawn())
    await page.locator('#field-BRAND_NAME').fill('Acme')
    await page.locator('#field-BRAND_NAME').blur()
    assert.include(await picture.getAttribute('src'), 'name=Acme')
    await picture.evaluate((image: any) => image.decode())
    assert.equal(brand.name, 'Gatehouse')
  })

  test('without scripts a button shows the pictures', async ({ assert }) => {
    const { page } = await open({ javaScriptEnabled: false })
    await page.locator('#field-BRAND_NAME').fill('Acme')
    await page.getByRole('button', { name: 'Preview' }).click()
    await page.locator('img[src*="name=Acme"]').first().waitFor()
    assert.equal(await page.locator('#field-BRAND_NAME').inputValue(), 'Acme')
    assert.equal(brand.name, 'Gatehouse')
  })

  test('an old sign-in confirms first, and the form goes on', async ({ assert }) => {
    const { page } = await open({ idleMinutes: 11 })
    await page.getByRole('link', { name: 'Confirm now' }).waitFor()
    await page.locator('#field-SIGN_UP').selectOption('invite')
    await page.locator('form[action="/admin/settings/access"] .button-primary').click()
    await confirmPassword(page)
    await page.getByText('The settings were saved.').waitFor()
    const { settings } = await listSettings()
    const { value, source } = settings.find(({ key }) => key === 'SIGN_UP')!
    assert.deepEqual({ value, source }, { value: 'invite', source: 'console' })
  })

  test('a provider is tried, saved anyway and deleted', async ({ assert }) => {
    const { page } = await open()
    await page.locator('#providers summary').click()
    await page.locator('#field-name').fill('contoso')
    await page.locator('#field-issuer').fill('https://id.invalid')
    await page.locator('#field-clientId').fill('gatehouse')
    await page.locator('#field-clientSecret').fill('Sesame-9-open')
    await page.getByRole('button', { name: 'Try this provider' }).click()
    await page.locator('#providers .notice-bad').waitFor()
    assert.notInclude(await page.content(), 'Sesame-9-open')
    await assertAccessible(page, assert)
    await page.getByLabel('Save although the test failed').check()
    await page.locator('#providers .button-primary').click()
    await page.getByRole('link', { name: 'Edit contoso' }).click()
    await page.getByRole('link', { name: 'Delete …' }).click()
    await page.getByRole('button', { name: 'Delete provider' }).click()
    await page.getByText('The provider was deleted.').waitFor()
  })
})
