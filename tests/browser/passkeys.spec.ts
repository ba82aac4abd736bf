import { readFileSync } from 'node:fs'
import { test } from '@japa/runner'
import type { ApiClient } from '@japa/api-client'
import type { Page } from 'playwright-core'
import type User from '#models/user'
import { createAdmin, createUser, PASSWORD, signedIn } from '#tests/support/fixtures'
import { givePasskey } from '#tests/support/passkeys'
import { giveSecondFactor } from '../functional/matrix/sign_in_methods.ts'
import { addAuthenticator, clear, touch, verify } from './authenticators.ts'
import { assertAccessible, visit, withBrowser } from './visitor.ts'

const BASE = process.env.APP_URL!

const visitBase = () => visit({ baseURL: BASE })

async function signInByPassword(page: Page, { email }: User, next = '/account') {
  await page.goto(`/sign-in?next=${encodeURIComponent(next)}`)
  await page.getByLabel('E-mail').fill(email)
  await page.getByLabel('Password').fill(PASSWORD)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await page.waitForURL(BASE + next)
}

async function addPasskey(page: Page, name: string) {
  await page.goto('/account/security')
  await page.getByRole('button', { name: 'Add a passkey' }).click()
  await page.getByLabel('Name').fill(name)
  await page.getByRole('button', { name: 'Create passkey' }).click()
  await page.getByText('Passkey added.').waitFor()
}

/** Signs in without typing, by the button or by the suggestion in the e-mail field. */
async function signInByPasskey(page: Page) {
  await page.goto('/sign-in?next=/account')
  const button = page.getByRole('button', { name: 'Sign in with a passkey' })
  await button.click({ timeout: 2_000 }).catch(() => {})
  await page.waitForURL(`${BASE}/account`)
}

async function signOut(page: Page) {
  await page.goto('/sign-out')
  await page.getByRole('button', { name: 'Sign out' }).click()
}

const passkeyIn = (page: Page, name: string) => page.getByRole('heading', { name, exact: true })

/** The browser code in docs/passkeys.md. */
const EXAMPLE = /```js\n([\s\S]*?)```/.exec(readFileSync('docs/passkeys.md', 'utf8'))![1]

function run(page: Page, call: string): Promise<any> {
  const code = EXAMPLE.replace('https://auth.example.org', BASE)
  return page.evaluate(`(async () => { ${code}; return ${call} })()`)
}

async function listed(client: ApiClient, user: User) {
  const { headers } = await signedIn(client, user)
  const response = await client.get('/auth/passkeys').headers(headers)
  return response.body()
}

test.group('Passkeys | browser', (group) => {
  withBrowser(group, 'whole')

  test('a person adds two, signs in with either, removes one', async ({ client, assert }) => {
    const user = await createUser()
    const page = await visitBase()
    await signInByPassword(page, user)
    const phone = await addAuthenticator(page)
    await addPasskey(page, 'Phone')
    await touch(phone, false)
    const key = await addAuthenticator(page, { transport: 'usb' })
    await addPasskey(page, 'Blue key')
    await signOut(page)
    await signInByPasskey(page)
    await page.goto('/account/security')
    await assertAccessible(page, assert)
    await page.getByRole('button', { name: 'Remove Blue key' }).click()
    await page.getByText('Passkey removed.').waitFor()
    await touch(phone, true)
    await touch(key, false)
    await signOut(page)
    await signInByPasskey(page)
    await page.goto('/account/security')
    assert.equal(await passkeyIn(page, 'Phone').count(), 1)
    assert.equal(await passkeyIn(page, 'Blue key').count(), 0)
    assert.lengthOf(await listed(client, user), 1)
  })

  test('the example of the documentation works', async ({ client, assert }) => {
    const user = await createUser()
    const { accessToken } = await signedIn(client, user)
    const page = await visitBase()
    await addAuthenticator(page)
    await page.goto('/forgot-password')
    const added = await run(page, `addPasskey('${accessToken}', 'Phone')`)
    const answers = [await run(page, 'signIn()'), await run(page, 'signIn()')]
    assert.equal(added.name, 'Phone')
    assert.deepEqual(
      answers.map((answer) => answer.user.id),
      [user.id, user.id]
    )
    assert.isAtMost(EXAMPLE.split('\n').length, 40)
  })

  test('a passkey of this domain is none of another origin', async ({ assert }) => {
    const user = await createUser()
    const page = await visitBase()
    await signInByPassword(page, user)
    await addAuthenticator(page)
    await addPasskey(page, 'Phone')
    await page.goto(`http://localhost:${process.env.PORT}/sign-in`)
    await page.getByRole('button', { name: 'Sign in with a passkey' }).click()
    await page.getByText('No passkey was used').waitFor()
    assert.include(page.url(), 'localhost')
  })

  test('a passkey takes the place of a code', async () => {
    const user = await createUser()
    const page = await visitBase()
    await signInByPassword(page, user)
    const authenticator = await addAuthenticator(page)
    await addPasskey(page, 'Phone')
    await giveSecondFactor(user)
    await touch(authenticator, false)
    await signOut(page)
    await page.goto('/sign-in?next=/account')
    await page.getByLabel('E-mail').fill(user.email)
    await page.getByLabel('Password').fill(PASSWORD)
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    await page.getByLabel('Code').waitFor()
    await touch(authenticator, true)
    await page.getByRole('button', { name: 'Use a passkey instead' }).click()
    await page.waitForURL(`${BASE}/account`)
  })

  test('the last way to sign in stays', async ({ assert }) => {
    const user = await createUser()
    const page = await visitBase()
    await signInByPassword(page, user)
    await addAuthenticator(page)
    await addPasskey(page, 'Phone')
    await user.merge({ password: null }).save()
    await page.getByRole('button', { name: 'Remove' }).click()
    await page.getByText('The only way to sign in cannot be removed').waitFor()
    assert.equal(await passkeyIn(page, 'Phone').count(), 1)
  })

  test('a passkey is renamed', async () => {
    const user = await createUser()
    const page = await visitBase()
    await signInByPassword(page, user)
    await givePasskey(user, { name: 'Phone' })
    await page.goto('/account/security')
    await page.locator('#passkeys summary').click()
    await page.getByLabel('Name').first().fill('Old phone')
    await page.locator('#passkeys').getByRole('button', { name: 'Rename' }).click()
    await passkeyIn(page, 'Old phone').waitFor()
  })

  test('a person who is not verified gets no session', async ({ assert }) => {
    const user = await createUser()
    const page = await visitBase()
    await signInByPassword(page, user)
    const authenticator = await addAuthenticator(page)
    await addPasskey(page, 'Phone')
    await verify(authenticator, false)
    await signOut(page)
    await page.goto('/sign-in')
    await page.getByRole('button', { name: 'Sign in with a passkey' }).click()
    await page.getByText('No passkey was used').waitFor()
    assert.include(page.url(), '/sign-in')
  })

  test('an authenticator without verification makes none', async () => {
    const user = await createUser()
    const page = await visitBase()
    await signInByPassword(page, user)
    await addAuthenticator(page, { hasUserVerification: false, isUserVerified: false })
    await page.goto('/account/security')
    await page.getByRole('button', { name: 'Add a passkey' }).click()
    await page.getByRole('button', { name: 'Create passkey' }).click()
    await page.getByText('No passkey was created').waitFor()
  })

  test('a passkey deleted on the device cannot sign in', async () => {
    const user = await createUser()
    const page = await visitBase()
    await signInByPassword(page, user)
    const authenticator = await addAuthenticator(page)
    await addPasskey(page, 'Phone')
    await clear(authenticator)
    await signOut(page)
    await page.goto('/sign-in')
    await page.getByRole('button', { name: 'Sign in with a passkey' }).click()
    await page.getByText('No passkey was used').waitFor()
  })

  test('a passkey is offered nowhere at an IP address', async ({ assert }) => {
    const page = await visit()
    await page.goto('/sign-in')
    await page.getByLabel('E-mail').waitFor()
    assert.isFalse(await page.getByText('Sign in with a passkey').isVisible())
  })

  test('without JavaScript the page says what passkeys need', async ({ client, assert }) => {
    const response = await client.get('/sign-in')
    assert.match(response.text(), /<noscript>.*Passkeys need JavaScript\./)
  })

  test('a sign-in by password offers one, once', async ({ assert }) => {
    const page = await visitBase()
    const offer = page.getByText('Sign in faster next time')
    await signInByPassword(page, await createUser())
    const first = await offer.isVisible()
    await signOut(page)
    await signInByPassword(page, await createUser())
    assert.deepEqual([first, await offer.isVisible()], [true, false])
  })

  test('a passkey confirms a sensitive change', async () => {
    const admin = await createAdmin()
    const page = await visitBase()
    await signInByPassword(page, admin)
    await addAuthenticator(page)
    await addPasskey(page, 'Phone')
    await page.goto('/confirm?next=/account/data')
    await page.getByRole('button', { name: 'Confirm with a passkey' }).click()
    await page.waitForURL(`${BASE}/account/data`)
  })

  test('an administrator sees and removes the passkeys of a user', async () => {
    const [admin, user] = [await createAdmin(), await createUser()]
    await givePasskey(user, { name: 'Phone' })
    const page = await visitBase()
    await signInByPassword(page, admin, '/admin')
    await page.goto(`/admin/users/${user.id}`)
    await page.locator('#passkeys').getByRole('button', { name: 'Remove' }).click()
    await page.getByText('No passkeys.').waitFor()
  })
})
