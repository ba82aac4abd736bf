import { test } from '@japa/runner'
import { listKeys } from '#auth/api_keys/list_keys'
import { keyIdOf } from '#auth/api_keys/key_format'
import { addServiceAccount } from '#users/service_accounts'
import { SYSTEM } from '#audit/actor'
import { createUser, keyOf } from '#tests/support/fixtures'
import { assertAccessible, confirmPassword, visitAs, withBrowser } from './visitor.ts'
import type { Page } from 'playwright-core'

async function makeKey(page: Page) {
  await page.getByLabel('New key for').fill('Nightly report')
  await page.getByLabel('profile:read').check()
  await page.getByRole('button', { name: 'Create key' }).click()
}

test.group('API keys | console', (group) => {
  withBrowser(group)

  test('a key is shown once, after a password', async ({ assert }) => {
    const user = await createUser()
    const { page } = await visitAs()
    await page.goto(`/admin/users/${user.id}`)
    await makeKey(page)
    await confirmPassword(page)
    const key = await page.getByLabel('API key', { exact: true }).textContent()
    await assertAccessible(page, assert)
    const [record] = await listKeys(user.id)
    assert.equal(keyIdOf(key!), record.id)
    await page.getByRole('link', { name: 'Done' }).click()
    await page.getByRole('button', { name: 'Revoke the API key Nightly report' }).waitFor()
    assert.notInclude(await page.content(), key!)
  })

  test('a reload of its page makes no second key', async ({ assert }) => {
    const user = await createUser()
    const { page } = await visitAs(undefined, { idleMinutes: 0 })
    await page.goto(`/admin/users/${user.id}`)
    await makeKey(page)
    await page.getByRole('heading', { name: 'API key', exact: true }).waitFor()
    await page.reload()
    await page.getByText('A new key is shown only once.').waitFor()
    await page.getByText('API key created').waitFor()
    assert.lengthOf(await listKeys(user.id), 1)
  })

  test('a form without a scope says so beside the scopes', async ({ assert }) => {
    const user = await createUser()
    const { page } = await visitAs(undefined, { idleMinutes: 0 })
    await page.goto(`/admin/users/${user.id}`)
    await page.getByLabel('New key for').fill('Nightly report')
    await page.getByLabel('Expires after (days)').fill('30')
    await page.getByRole('button', { name: 'Create key' }).click()
    const scopes = page.getByRole('group', { name: 'Permissions' })
    await scopes.getByText('Select at least one').waitFor()
    await assertAccessible(page, assert)
    assert.equal(await page.getByLabel('New key for').inputValue(), 'Nightly report')
    assert.equal(await page.getByLabel('Expires after (days)').inputValue(), '30')
    assert.deepEqual(await listKeys(user.id), [])
  })

  test('a form without a scope stays on one’s own page', async () => {
    const { page } = await visitAs(undefined, { idleMinutes: 0 })
    await page.goto('/admin/account/security')
    await page.getByText('New API key').click()
    await page.getByLabel('Name').fill('Nightly report')
    await page.getByRole('button', { name: 'Create key' }).click()
    await page.getByText('Select at least one').waitFor()
    await page.getByRole('heading', { name: 'Security' }).waitFor()
  })

  test('a form sent twice makes one key, which works', async ({ assert }) => {
    const user = await createUser()
    const { page } = await visitAs(undefined, { idleMinutes: 0 })
    await page.goto(`/admin/users/${user.id}`)
    const action = `/admin/users/${user.id}/api-keys`
    const fields = await page
      .locator(`form[action="${action}"]`)
      .evaluate((form: any) => Object.fromEntries(new (globalThis as any).FormData(form)))
    const form = { ...fields, 'name': 'Nightly report', 'scopes[]': 'profile:read' }
    const send = () => page.request.post(action, { form, maxRedirects: 0 })
    await Promise.all([send(), send()])
    await page.request.post(action, { form })
    assert.lengthOf(await listKeys(user.id), 1)
    await page.goto(action)
    await page.getByText('A new key is shown only once.').waitFor()
  })

  test('a key of a user is revoked', async ({ assert }) => {
    const user = await createUser()
    await keyOf(user)
    const { page } = await visitAs()
    await page.goto(`/admin/users/${user.id}`)
    await page.getByRole('button', { name: 'Revoke the API key Nightly report' }).click()
    await page.getByText('The API key was revoked.').waitFor()
    assert.deepEqual(await listKeys(user.id), [])
  })

  test('one’s own key is made on one’s own page', async ({ assert }) => {
    const { page, user } = await visitAs(undefined, { idleMinutes: 0 })
    await page.goto('/admin/account/security')
    await page.getByText('New API key').click()
    await page.getByLabel('Name').fill('Nightly report')
    await page.getByLabel('profile:read').check()
    await page.getByRole('button', { name: 'Create key' }).click()
    await page.getByRole('link', { name: 'Done' }).click()
    assert.match(page.url(), /\/admin\/account\/security#api-keys$/)
    assert.lengthOf(await listKeys(user.id), 1)
  })

  test('a service account has no form of a sign-in', async ({ assert }) => {
    const { id } = await addServiceAccount({ username: `worker ${'x'.repeat(90)}` }, SYSTEM)
    const { page } = await visitAs(undefined, {
      viewport: { width: 390, height: 800 },
      idleMinutes: 0,
    })
    await page.goto(`/admin/users/${id}`)
    await assertAccessible(page, assert)
    assert.notInclude(await page.content(), 'service.invalid')
    assert.equal(await page.getByText('Password reset').count(), 0)
    await page.getByLabel('Name', { exact: true }).fill('worker')
    await page.getByRole('button', { name: 'Save changes' }).click()
    await page.getByText('The changes were saved.').waitFor()
  })
})
