import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from '@japa/runner'
import { generate } from 'otplib'
import type { Browser, Page } from 'playwright-core'
import { findBrowser, launchBrowser } from '#tests/support/browser'
import { PASSWORD } from '#tests/support/users'
import { until } from '#tests/support/waiting'
import { assertAccessible } from '#tests/browser/visitor'
import { newcomer } from './backend.ts'
import { Example } from './example.ts'
import { Product } from './product.ts'

const root = join(import.meta.dirname, '../..')

/** Documents that tell a newcomer how to register the example. */
const DOCUMENTS = ['docs/openid-provider.md', 'examples/express/README.md']

const home = (page: Page) => page.getByRole('heading', { name: 'Hello, ada' })
const signedOut = (page: Page) => page.getByText('You are not signed in here.')

/** Turns the second factor on, on the page to which Gatehouse leads. */
async function setUpSecondFactor(page: Page) {
  await page.getByRole('button', { name: 'Set up' }).click()
  const shown = await page.getByLabel('Secret').innerText()
  const secret = shown.replaceAll(' ', '')
  const epoch = Math.floor(Date.now() / 1_000) - 30
  await page.getByLabel('Code', { exact: true }).fill(await generate({ secret, epoch }))
  await page.getByRole('button', { name: 'Turn on' }).click()
  await page.locator('#codes code').last().waitFor()
  return secret
}

test.group('Example in Express', (group) => {
  let product: Product
  let example: Example
  let browser: Browser
  group.setup(async () => {
    findBrowser()
    product = await Product.start({ LOGIN_THROTTLE_LIMIT: '0' })
    example = await Example.beside(product)
    browser = await launchBrowser()
  })
  group.teardown(async () => {
    await browser.close()
    await example.stop()
    await product.remove()
  })

  /** Signs a new person in to the example, in a separate browser. */
  async function signedIn() {
    const user = await newcomer(product)
    const page = await browser.newPage()
    await page.goto(example.url)
    await page.getByRole('link', { name: 'Sign in with Gatehouse' }).click()
    await page.getByLabel('E-mail').fill(user.email)
    await page.getByLabel('Password').fill(PASSWORD)
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    await home(page).waitFor()
    return { user, page }
  }

  /** The example is told a moment later. A second factor also ends other sessions. */
  async function isSignedOut(page: Page) {
    await until(async () => {
      await page.goto(example.url)
      return signedOut(page).isVisible()
    }, 10_000)
  }

  test('shows who signed in, and what userinfo answers', async ({ assert }) => {
    const { user, page } = await signedIn()
    await page.getByText(`${user.email} · signed in with one factor`).waitFor()
    await assertAccessible(page, assert)
    await page.getByRole('link', { name: 'Ask for userinfo' }).click()
    const table = page.getByRole('table', { name: 'Userinfo' })
    await table.getByText(user.email).waitFor()
    assert.include(await table.innerText(), user.id)
    await page.setViewportSize({ width: 390, height: 844 })
    await assertAccessible(page, assert)
  })

  test('gets new tokens by its refresh token', async ({ assert }) => {
    const { page } = await signedIn()
    const goodUntil = () => page.getByText('The access token is good until').innerText()
    const before = await goodUntil()
    await page.getByRole('button', { name: 'Refresh the tokens' }).click()
    await home(page).waitFor()
    assert.notEqual(await goodUntil(), before)
  })

  test('asks for a second factor, and sees it', async () => {
    const { page } = await signedIn()
    const stepUp = page.getByRole('link', { name: 'Prove a second factor' })
    await stepUp.click()
    await page.getByRole('button', { name: 'Back to Example' }).click()
    await page.getByRole('heading', { name: 'That did not work' }).waitFor()
    await page.getByRole('link', { name: 'Back to the start' }).click()
    await stepUp.click()
    await page.getByRole('link', { name: 'Set up two-step verification' }).click()
    const secret = await setUpSecondFactor(page)
    await isSignedOut(page)
    await page.getByRole('link', { name: 'Sign in with Gatehouse' }).click()
    await stepUp.click()
    await page.getByLabel('Password').fill(PASSWORD)
    await page.getByLabel('Code').fill(await generate({ secret }))
    await page.getByRole('button', { name: 'Continue' }).click()
    await page.getByText('signed in with two factors').waitFor()
  })

  test('signs out here and at Gatehouse', async () => {
    const { page } = await signedIn()
    await page.getByRole('button', { name: 'Sign out' }).click()
    await signedOut(page).waitFor()
    await page.getByRole('link', { name: 'Sign in with Gatehouse' }).click()
    await page.getByLabel('E-mail').waitFor()
  })

  test('ends its session with that at Gatehouse', async () => {
    const { page } = await signedIn()
    await page.goto(`${product.publicUrl}/oauth/logout`)
    await page.getByRole('button', { name: 'Sign out' }).click()
    await page.getByRole('heading', { name: 'You are signed out' }).waitFor()
    await isSignedOut(page)
  })

  test('a forged logout message ends no session', async ({ assert }) => {
    const { page } = await signedIn()
    const body = new URLSearchParams({ logout_token: 'e30.e30.' })
    const answer = await fetch(`${example.url}/backchannel-logout`, { method: 'POST', body })
    assert.equal(answer.status, 400)
    await page.reload()
    await home(page).waitFor()
  })

  test('a session that was withdrawn gets nothing more', async () => {
    const { page } = await signedIn()
    await page.goto(`${product.publicUrl}/account/applications`)
    await page.getByRole('button', { name: 'Revoke access' }).click()
    await page.getByText('The application was signed out').waitFor()
    await page.goto(`${example.url}/userinfo`)
    await page.getByRole('link', { name: /^Sign in/ }).waitFor()
  })

  test('says which settings are missing, and the remedy', async ({ assert }) => {
    const output = await Example.spawn({ ISSUER: product.publicUrl }).says('npm start')
    assert.include(output, 'CLIENT_ID, CLIENT_SECRET: not set.')
    const [command] = /npm run ace(.*\\\n)+.*/.exec(output.replaceAll('\n    ', '\n  '))!
    for (const path of DOCUMENTS) assert.include(readFileSync(join(root, path), 'utf8'), command)
  })
})
