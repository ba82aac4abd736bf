import { test } from '@japa/runner'
import type { BrowserContextOptions, Page } from 'playwright-core'
import { createUser, PASSWORD } from '#tests/support/fixtures'
import { visit, withBrowser } from './visitor.ts'

/** Opens the documentation, and collects its console messages and the targets of its requests. */
async function openDocs(options: BrowserContextOptions = {}, path = '/api-docs') {
  const page = await visit({ viewport: { width: 1280, height: 1000 }, ...options })
  const complaints: string[] = []
  const origins = new Set<string>()
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) complaints.push(message.text())
  })
  page.on('pageerror', (error) => complaints.push(error.message))
  page.on('request', (request) => {
    if (/^(https?|wss?):/.test(request.url())) origins.add(new URL(request.url()).origin)
  })
  await page.goto(path)
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

/** Opens the documentation after a login there. Tests share it, because opening takes seconds. */
async function openSignedIn() {
  const user = await createUser()
  const docs = await openDocs()
  const asked = docs.page.waitForRequest((request) => request.url().endsWith('/auth/login'))
  const body = { email: user.email, password: PASSWORD }
  const { status } = await execute(docs.page, 'POST', '/auth/login', body)
  return { ...docs, user, status, request: await asked }
}

function backgroundOf(page: Page, selector: string) {
  return page.evaluate(`getComputedStyle(document.querySelector('${selector}')).backgroundColor`)
}

test.group('Documentation in a browser', (group) => {
  withBrowser(group)
  let docs: ReturnType<typeof openDocs> | undefined
  const openShared = () => (docs ??= openDocs())

  test('stays on its origin and within its policy', async ({ assert }) => {
    const { page, complaints, origins } = await openShared()
    await operation(page, 'POST', '/auth/login').locator('.opblock-summary-control').click()
    await page.locator('.opblock-body').first().waitFor()
    assert.deepEqual(complaints, [])
    assert.deepEqual([...origins], [new URL(page.url()).origin])
  })

  test('opens under its address with a slash too', async ({ assert }) => {
    const { complaints } = await openDocs({}, '/api-docs/')
    assert.deepEqual(complaints, [])
  })

  test('shows the first steps, and the rest in alphabetical order', async ({ assert }) => {
    const { page } = await openShared()
    const tags = await page
      .locator('.opblock-tag')
      .evaluateAll((all) => all.map((tag) => tag.getAttribute('data-tag')!))
    const order =
      'auth api-keys audit external groups health mfa oauth oauth-clients passkeys recovery sessions settings users webhooks'
    assert.deepEqual(tags, order.split(' '))
    const paths = await page
      .locator('#operations-tag-auth')
      .locator('xpath=..')
      .locator('.opblock-summary-path')
      .evaluateAll((all) => all.map((path) => path.getAttribute('data-path')!))
    const [register, login, ...others] = paths
    assert.deepEqual([register, login], ['/auth/register', '/auth/login'])
    assert.isAbove(others.length, 3)
    assert.deepEqual(
      others,
      others.toSorted((one, other) => one.localeCompare(other))
    )
  })

  test('is no wider than a phone', async ({ assert }) => {
    const { page } = await openShared()
    await page.setViewportSize({ width: 320, height: 640 })
    const surplus = () =>
      page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth')
    assert.equal(await surplus(), 0)
    const block = operation(page, 'POST', '/auth/refresh')
    await block.locator('.opblock-summary-control').click()
    await block.locator('.opblock-body').waitFor()
    assert.equal(await surplus(), 0)
  })

  test('follows the colours of the system', async ({ assert }) => {
    const { page } = await openDocs({ colorScheme: 'dark' })
    assert.equal(await backgroundOf(page, '.swagger-ui'), 'rgb(12, 14, 18)')
    await page.emulateMedia({ colorScheme: 'light' })
    await page.locator('html:not(.dark-mode)').waitFor()
    assert.equal(await backgroundOf(page, 'body'), 'rgb(255, 255, 255)')
  })
})

test.group('Documentation after a login', (group) => {
  withBrowser(group)
  let docs: ReturnType<typeof openSignedIn> | undefined
  const openShared = () => (docs ??= openSignedIn())

  test('the page sends no device id by itself', async ({ assert }) => {
    const { request } = await openShared()
    assert.notProperty(request.headers(), 'x-device-id')
  })

  test('a login authorizes what is tried next', async ({ assert }) => {
    const { page, user, status, complaints } = await openShared()
    assert.equal(status, '200')
    const profile = await execute(page, 'GET', '/auth/profile')
    assert.equal(profile.status, '200')
    assert.include(profile.body, user.email)
    assert.deepEqual(complaints, [])
  })

  test('a refusal keeps the authorization', async ({ assert }) => {
    const { page } = await openShared()
    const refused = await execute(page, 'POST', '/auth/refresh', { refreshToken: 'x' })
    assert.equal(refused.status, '401')
    const { status } = await execute(page, 'GET', '/auth/sessions')
    assert.equal(status, '200')
  })

  test('keeps the authorization between loads', async ({ assert }) => {
    const { page } = await openShared()
    await page.reload()
    const { status } = await execute(page, 'GET', '/auth/profile')
    assert.equal(status, '200')
  })
})
