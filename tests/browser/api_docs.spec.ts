import { test } from '@japa/runner'
import type { Page } from 'playwright-core'
import { createUser, PASSWORD } from '#tests/fixtures'
import type User from '#models/user'
import { visit, withBrowser } from './visitor.ts'

/** The documentation, open, with what its console said and where its requests went. */
async function openDocs() {
  const page = await visit({ viewport: { width: 1280, height: 1000 } })
  const complaints: string[] = []
  const origins = new Set<string>()
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) complaints.push(message.text())
  })
  page.on('pageerror', (error) => complaints.push(error.message))
  page.on('request', (request) => {
    if (/^(https?|wss?):/.test(request.url())) origins.add(new URL(request.url()).origin)
  })
  await page.goto('/api-docs')
  await page.locator('.opblock').first().waitFor()
  return { page, complaints, origins }
}

function operation(page: Page, method: string, path: string) {
  const summary = page.locator('.opblock-summary', {
    has: page.locator(`.opblock-summary-method:text-is("${method}")`),
  })
  return page.locator('.opblock', {
    has: summary.filter({ has: page.locator(`[data-path="${path}"]`) }),
  })
}

async function execute(page: Page, method: string, path: string, body?: object) {
  const block = operation(page, method, path)
  await block.locator('.opblock-summary-control').click()
  if (body) await block.locator('textarea.body-param__text').fill(JSON.stringify(body))
  await block.getByRole('button', { name: 'Execute' }).click()
  const status = await block.locator('.live-responses-table tbody .response-col_status').innerText()
  const text = await block.locator('.live-responses-table .highlight-code code').first().innerText()
  return { status: status.trim(), body: text }
}

async function authorize(page: Page, user: User) {
  const { status, body } = await execute(page, 'POST', '/auth/login', {
    email: user.email,
    password: PASSWORD,
  })
  const [, token] = /"accessToken":\s*"([^"]+)"/.exec(body)!
  await page.locator('.auth-wrapper .btn.authorize').first().click()
  await page.locator('.auth-container input[type=text]').fill(token)
  await page.locator('.auth-btn-wrapper .btn.authorize').click()
  await page.locator('.auth-btn-wrapper .btn-done').click()
  return status
}

test.group('Documentation in a browser', (group) => {
  withBrowser(group)

  test('stays on its origin and within its policy', async ({ assert }) => {
    const { page, complaints, origins } = await openDocs()
    await operation(page, 'POST', '/auth/login').locator('.opblock-summary-control').click()
    await page.locator('.opblock-body').first().waitFor()
    assert.deepEqual(complaints, [])
    assert.deepEqual([...origins], [new URL(page.url()).origin])
  })

  test('sorts tags and operations', async ({ assert }) => {
    const { page } = await openDocs()
    const tags = await page
      .locator('.opblock-tag')
      .evaluateAll((all) => all.map((tag) => tag.getAttribute('data-tag')!))
    assert.deepEqual(tags, tags.toSorted())
    const paths = await page
      .locator('#operations-tag-auth')
      .locator('xpath=..')
      .locator('.opblock-summary-path')
      .evaluateAll((all) => all.map((path) => path.getAttribute('data-path')!))
    assert.deepEqual(
      paths,
      paths.toSorted((one, other) => one.localeCompare(other))
    )
    assert.isAbove(paths.length, 10)
  })

  test('logs in, authorizes and reads the profile', async ({ assert }) => {
    const user = await createUser()
    const { page, complaints } = await openDocs()
    assert.equal(await authorize(page, user), '200')
    const { status, body } = await execute(page, 'GET', '/auth/profile')
    assert.equal(status, '200')
    assert.include(body, user.email)
    assert.deepEqual(complaints, [])
  })

  test('keeps the authorization between loads', async ({ assert }) => {
    const user = await createUser()
    const { page } = await openDocs()
    await authorize(page, user)
    await page.reload()
    const { status } = await execute(page, 'GET', '/auth/profile')
    assert.equal(status, '200')
  })
})
