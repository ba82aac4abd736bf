import { test } from '@japa/runner'
import type { Page } from 'playwright-core'
import db from '@adonisjs/lucid/services/db'
import { v7 as uuidv7 } from 'uuid'
import { SYSTEM } from '#audit/actor'
import { updateWebhook } from '#webhooks/endpoints'
import { getWebhookOrFail, listWebhooks } from '#webhooks/webhook_rows'
import { newWebhook, removeWebhooks, someUrl } from '#tests/support/webhook_endpoints'
import { confirmPassword, visitAs, withBrowser } from './visitor.ts'

const plain = { idleMinutes: 0, javaScriptEnabled: false }

const HOSTILE = '<script>document.title = 1</script> 😀 שלום'

async function deliveryOf(webhookId: string, values: object = {}) {
  const id = uuidv7()
  const at = { created_at: Date.now(), next_attempt_at: null }
  const failed = { status: 'failed', attempts: 10, response_status: 503, error: 'status' }
  const of = { id, webhook_id: webhookId, event_id: uuidv7(), type: 'user.created' }
  await db
    .table('webhook_deliveries')
    .insert({ ...of, ...at, ...failed, duration_ms: 84, ...values })
  return id
}

async function fill(page: Page, { url, name }: { url: string; name: string }) {
  await page.getByLabel('Address').fill(url)
  await page.getByLabel('Name', { exact: true }).fill(name)
  await page.getByLabel('Everything').check()
  await page.getByRole('button', { name: 'Create a webhook' }).click()
}

const secretIn = (page: Page) => page.locator('output.secret')

test.group('Console | webhooks', (group) => {
  withBrowser(group)
  group.each.setup(removeWebhooks)

  test('a webhook is created, changed and deleted without JavaScript', async ({ assert }) => {
    const { page } = await visitAs(undefined, { path: '/admin', ...plain })
    await page.getByRole('link', { name: 'Webhooks' }).click()
    await page.getByRole('link', { name: 'Create a webhook' }).click()
    await fill(page, { url: someUrl(), name: HOSTILE })
    await page.getByText('The webhook was created.').waitFor()
    assert.match(await secretIn(page).innerText(), /^whsec_/)
    assert.equal(await page.locator('h1').innerText(), HOSTILE)
    await page.reload()
    assert.equal(await secretIn(page).count(), 0)
    await page.getByLabel('Everything').uncheck()
    await page.locator('summary', { hasText: 'Accounts' }).click()
    await page.getByLabel('Account created').check()
    await page.getByLabel('Enabled', { exact: true }).uncheck()
    await page.getByRole('button', { name: 'Save changes' }).click()
    await page.getByText('The changes were saved.').waitFor()
    const [webhook] = await listWebhooks()
    assert.containSubset(webhook, { name: HOSTILE, events: ['user.created'], enabled: false })
    await page.getByRole('link', { name: 'Delete …' }).click()
    await page.getByRole('button', { name: 'Delete permanently' }).click()
    await page.getByText('was deleted.').waitFor()
    assert.deepEqual(await listWebhooks(), [])
  })

  test('a form that lacks something is shown with what was typed', async ({ assert }) => {
    const { name } = await newWebhook()
    const { page } = await visitAs(undefined, plain)
    await page.goto('/admin/webhooks/create')
    await fill(page, { url: 'https://10.0.0.1/hook', name })
    await page.locator('#field-url-error').waitFor()
    assert.equal(await page.getByLabel('Address').inputValue(), 'https://10.0.0.1/hook')
    await fill(page, { url: someUrl(), name })
    await page.locator('#field-name-error').waitFor()
    await page.getByLabel('Everything').uncheck()
    await page.getByRole('button', { name: 'Create a webhook' }).click()
    await page.locator('#field-events-error').waitFor()
  })

  test('another address asks for the password, other filters do not', async ({ assert }) => {
    const { id } = await newWebhook()
    const { page } = await visitAs()
    await page.goto(`/admin/webhooks/${id}`)
    await page.getByLabel('Description').fill('For the books')
    await page.getByRole('button', { name: 'Save changes' }).click()
    await page.getByText('The changes were saved.').waitFor()
    const url = someUrl()
    await page.getByLabel('Address').fill(url)
    await page.getByRole('button', { name: 'Save changes' }).click()
    await confirmPassword(page)
    await page.getByText('The changes were saved.').waitFor()
    const changed = await getWebhookOrFail(id)
    assert.containSubset(changed, { url, description: 'For the books' })
  })

  test('an outdated page undoes nothing', async ({ assert }) => {
    const { id } = await newWebhook()
    const { page } = await visitAs(undefined, plain)
    await page.goto(`/admin/webhooks/${id}`)
    await updateWebhook(id, { events: ['login.failed'] }, SYSTEM)
    await page.getByLabel('Description').fill('For the books')
    await page.getByRole('button', { name: 'Save changes' }).click()
    await page.getByText('The changes were saved.').waitFor()
    const { events } = await getWebhookOrFail(id)
    assert.deepEqual(events, ['login.failed'])
  })

  test('a secret is rotated and shown once', async ({ assert }) => {
    const { id, secret } = await newWebhook()
    const { page } = await visitAs(undefined, { idleMinutes: 0 })
    await page.goto(`/admin/webhooks/${id}`)
    await page.getByRole('link', { name: 'Rotate …' }).click()
    await page.getByRole('button', { name: 'Rotate the secret' }).click()
    await page.getByText('The secret was rotated. The new one is below.').waitFor()
    assert.notEqual(await secretIn(page).innerText(), secret)
  })
})

test.group('Console | deliveries', (group) => {
  withBrowser(group)
  group.each.setup(removeWebhooks)

  test('a delivery says what is wrong and is sent again', async ({ assert }) => {
    const { id } = await newWebhook()
    const delivery = await deliveryOf(id)
    const { page } = await visitAs(undefined, plain)
    await page.goto(`/admin/webhooks/${id}`)
    await page.getByText('It answered with an error.').waitFor()
    for (const text of ['503', '84 ms', 'Account created'])
      assert.isAbove(await page.locator('#deliveries').getByText(text).count(), 0, text)
    await page.getByRole('button', { name: 'Retry' }).click()
    await page.getByText('The delivery is being sent again.').waitFor()
    const row = await db.from('webhook_deliveries').where('id', delivery).firstOrFail()
    assert.containSubset(row, { status: 'pending', attempts: 0 })
  })

  test('the list is filtered and has pages', async ({ assert }) => {
    const { id } = await newWebhook()
    for (let count = 0; count < 31; count++) await deliveryOf(id)
    await deliveryOf(id, { status: 'delivered', error: null, type: 'user.deleted' })
    const { page } = await visitAs(undefined, plain)
    await page.goto(`/admin/webhooks/${id}`)
    await page.getByLabel('Status').selectOption('failed')
    await page.getByRole('button', { name: 'Filter' }).click()
    assert.equal(await page.locator('#deliveries tbody tr').count(), 30)
    await page.getByRole('link', { name: 'Next' }).click()
    assert.equal(await page.locator('#deliveries tbody tr').count(), 1)
    assert.equal(await page.getByText('user.deleted').count(), 1)
  })

  test('a test is queued for a disabled webhook too', async ({ assert }) => {
    const { id } = await newWebhook({ enabled: false })
    const { page } = await visitAs(undefined, plain)
    await page.goto(`/admin/webhooks/${id}`)
    await page.getByText('This webhook is disabled').waitFor()
    await page.getByRole('button', { name: 'Send a test' }).click()
    await page.getByText('A test is on its way').waitFor()
    assert.equal(await page.locator('#deliveries tbody tr').count(), 1)
  })

  test('a replay needs a time that the audit log has', async () => {
    const { id } = await newWebhook({ events: ['client.deleted'] })
    const { page } = await visitAs(undefined, plain)
    await page.goto(`/admin/webhooks/${id}`)
    for (const since of ['yesterday', uuidv7()]) {
      await page.getByLabel('Since').fill(since)
      await page.getByRole('button', { name: 'Replay' }).click()
      await page.locator('#field-since-error').waitFor()
    }
    await page.getByLabel('Since').fill(new Date().toISOString().slice(0, 16).replace('T', ' '))
    await page.getByRole('button', { name: 'Replay' }).click()
    await page.locator('.notice', { hasText: /Nothing happened|sent again/ }).waitFor()
  })

  test('a form that is sent twice makes one webhook', async ({ assert }) => {
    const { page } = await visitAs(undefined, { idleMinutes: 0 })
    await page.goto('/admin/webhooks/create')
    const fields = await page
      .locator('form.card-body')
      .evaluate((form: any) => Object.fromEntries(new (globalThis as any).FormData(form)))
    const form = { ...fields, 'url': someUrl(), 'events[]': '*' }
    const send = () => page.request.post('/admin/webhooks', { form, maxRedirects: 0 })
    const answers = [...(await Promise.all([send(), send()])), await send()]
    const webhooks = await listWebhooks()
    assert.lengthOf(webhooks, 1)
    for (const answer of answers) assert.include(answer.headers().location, webhooks[0].id)
    await page.goto(`/admin/webhooks/${webhooks[0].id}`)
    assert.match(await secretIn(page).innerText(), /^whsec_/)
  })
})
