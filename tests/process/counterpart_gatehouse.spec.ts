import { test } from '@japa/runner'
import { generateSync } from 'otplib'
import { freePort } from '#tests/support/free_port'
import { PASSWORD } from '#tests/support/users'
import { typeCredentials, visit, withBrowser } from '../browser/visitor.ts'
import { signIn } from './backend.ts'
import { IdentityProduct } from './identity_product.ts'
import type { Page } from 'playwright-core'

/* A second installation, whose users sign in with the first one, in a browser. */

test.group('Counterpart | a second Gatehouse', (group) => {
  withBrowser(group)

  let first: IdentityProduct
  let second: IdentityProduct
  let client: { id: string; clientId: string; clientSecret: string }
  let home: string

  group.setup(async () => {
    first = await IdentityProduct.start()
    const PORT = String(await freePort())
    home = `http://127.0.0.1:${PORT}`
    client = await first.register({
      name: 'Second',
      kind: 'first_party',
      requireVerifiedEmail: false,
      redirectUris: [`${home}/auth/external/first/callback`],
    })
    second = await IdentityProduct.start({
      PORT,
      APP_URL: home,
      OIDC_PROVIDERS: 'first',
      OIDC_FIRST_ISSUER: first.issuer,
      OIDC_FIRST_CLIENT_ID: client.clientId,
      OIDC_FIRST_CLIENT_SECRET: client.clientSecret,
    })
  })
  group.teardown(async () => {
    await second?.remove()
    await first?.remove()
  })

  /** Sends the person to the first installation, which asks for a sign-in. */
  async function askToSignIn(page: Page) {
    await page.goto(`${home}/sign-in`)
    await page.getByRole('link', { name: 'Continue with First' }).click()
    await page.waitForURL(`${first.issuer}/oauth/authorize?**`)
  }

  /** Makes a user of the first installation who has signed in to the second one. */
  async function signedIn(email?: string) {
    const user = await first.newUser(email)
    const page = await visit()
    await askToSignIn(page)
    await typeCredentials(page, user.email)
    await page.waitForURL(`${home}/account`)
    return { user, page }
  }

  async function signOut(page: Page) {
    await page.goto(`${home}/sign-out`)
    await page.getByRole('button', { name: 'Sign out' }).click()
    await page.waitForURL(`${home}/sign-in`)
  }

  /** Returns the user of the second installation with this address. */
  async function recordOf(email: string) {
    const { data } = await second.request(`/users?search=${email}`)
    return data[0]
  }

  /** Gives a user of the first installation a second factor. Returns how to get the next code. */
  async function enrol(user: { email: string }) {
    const { token } = await signIn(first.product, user)
    const send = (path: string, body: object) => first.product.request(path, { token, body })
    const { body: setup } = await send('/auth/mfa/setup', { currentPassword: PASSWORD })
    const codeAt = (ms: number) => generateSync({ secret: setup.secret, epoch: ms / 1_000 })
    await send('/auth/mfa/enable', { code: codeAt(Date.now()) })
    return () => codeAt(Date.now() + 30_000)
  }

  const alert = (page: Page) => page.getByRole('alert').innerText()

  test('signs up and in, without consent', async ({ assert }) => {
    const { user } = await signedIn()
    const expected = { provider: 'first', providerId: user.id, emailVerified: true }
    assert.containsSubset(await recordOf(user.email), expected)
  })

  test('comes back at once while the first knows them', async ({ assert }) => {
    const { user, page } = await signedIn()
    const { id } = await recordOf(user.email)
    await signOut(page)
    await page.getByRole('link', { name: 'Continue with First' }).click()
    await page.waitForURL(`${home}/account`)
    const [session] = await second.request(`/users/${id}/sessions`)
    assert.equal(session.method, 'first')
  })

  test('shares nothing with a third party before consent', async ({ assert, cleanup }) => {
    const change = (kind: string) =>
      first.request(`/oauth-clients/${client.id}`, { method: 'PUT', body: { kind } })
    await change('third_party')
    cleanup(() => change('first_party'))
    const user = await first.newUser()
    const page = await visit()
    await askToSignIn(page)
    await typeCredentials(page, user.email)
    await page.getByRole('button', { name: 'Don’t allow' }).click()
    await page.waitForURL(`${home}/sign-in/external`)
    assert.match(await alert(page), /cancelled or refused/)
    assert.isUndefined(await recordOf(user.email))
    await page.getByRole('link', { name: 'Continue with First' }).click()
    await page.getByRole('button', { name: 'Allow', exact: true }).click()
    await page.waitForURL(`${home}/account`)
  })

  test('is linked to an account of another address', async ({ assert }) => {
    const [user, own] = [await first.newUser(), await second.newUser()]
    const page = await visit()
    await page.goto(`${home}/sign-in?next=/account/security`)
    await typeCredentials(page, own.email)
    await page.getByRole('button', { name: 'Link First' }).click()
    await typeCredentials(page, user.email)
    await page.getByText('First is linked').waitFor()
    const { token } = await signIn(second.product, own)
    const { body: identities } = await second.product.request('/auth/identities', { token })
    const identity = { issuer: first.issuer, subject: user.id, email: user.email }
    assert.containsSubset(identities, [identity])
    await signOut(page)
    await page.getByRole('link', { name: 'Continue with First' }).click()
    await page.getByText(own.email).first().waitFor()
  })

  test('takes over no account by an unverified address', async ({ assert }) => {
    const own = await second.newUser()
    const user = await first.newUser(own.email)
    await first.request(`/users/${user.id}`, { method: 'PUT', body: { emailVerified: false } })
    const page = await visit()
    await askToSignIn(page)
    await typeCredentials(page, user.email)
    await page.waitForURL(`${home}/sign-in/external`)
    assert.match(await alert(page), /exists: sign in to it/)
  })

  test('is asked for the code by the first alone', async ({ assert }) => {
    const user = await first.newUser()
    const codeNow = await enrol(user)
    const page = await visit()
    await askToSignIn(page)
    await typeCredentials(page, user.email)
    await page.getByLabel('Code').fill(codeNow())
    await page.getByRole('button', { name: 'Verify' }).click()
    await page.waitForURL(`${home}/account`)
    const sessions = await first.request(`/users/${user.id}/sessions`)
    const ofSecond = sessions.find(({ deviceName }: any) => deviceName.startsWith('Second · '))
    assert.deepEqual(ofSecond.amr, ['pwd', 'otp', 'mfa'])
    const { id } = await recordOf(user.email)
    const [session] = await second.request(`/users/${id}/sessions`)
    assert.deepEqual(session.amr, [])
  })

  test('is kept out after being {state} at the first')
    .with([
      { state: 'disabled', path: '', change: { method: 'PUT', body: { disabled: true } } },
      { state: 'deleted', path: '', change: { method: 'DELETE' } },
    ])
    .run(async ({ assert }, { path, change }) => {
      const { user, page } = await signedIn()
      await first.request(`/users/${user.id}${path}`, change)
      await page.reload()
      assert.equal(page.url(), `${home}/account`, 'what has begun goes on')
      await signOut(page)
      await page.getByRole('link', { name: 'Continue with First' }).click()
      await typeCredentials(page, user.email)
      assert.match(await alert(page), /disabled|Invalid/)
      await page.goto(`${home}/account`)
      assert.equal(new URL(page.url()).pathname, '/sign-in')
    })

  test('is told of a lock at the first', async ({ assert }) => {
    const { user, page } = await signedIn()
    await signOut(page)
    await first.request(`/users/${user.id}/lock`, { method: 'POST' })
    await page.getByRole('link', { name: 'Continue with First' }).click()
    await page.getByRole('heading', { name: 'Your account is locked' }).waitFor()
    await page.getByRole('button', { name: 'Back to Second' }).click()
    await page.waitForURL(`${home}/sign-in/external`)
    assert.match(await alert(page), /cancelled or refused/)
  })
})
