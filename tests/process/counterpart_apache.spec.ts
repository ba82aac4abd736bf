import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from '@japa/runner'
import { Apache } from '#tests/servers/apache'
import { until } from '#tests/waiting'
import { typeCredentials, visit, withBrowser } from '../browser/visitor.ts'
import { IdentityProduct } from './identity_product.ts'
import type { Page } from 'playwright-core'

/* Apache with `mod_auth_openidc`, as the document of the provider sets it up, in a browser. */

const DOCUMENT = readFileSync(join(import.meta.dirname, '../../docs/openid-provider.md'), 'utf8')

const [, EXAMPLE] = /```apache\n([\s\S]*?)```/.exec(DOCUMENT)!

const PERSON = ['email', 'role', 'amr']
  .map((name) => `<p>${name}: <!--#echo var="OIDC_CLAIM_${name}" --></p>`)
  .join('\n')

const CALLBACK = '/oidc/callback'

/** Registers the site and returns its settings, by which it renews its token at each request. */
async function settingsFor(gatehouse: IdentityProduct, url: string) {
  const { clientId, clientSecret } = await gatehouse.register({
    name: 'Wiki',
    kind: 'first_party',
    redirectUris: [`${url}${CALLBACK}`],
    postLogoutRedirectUris: [`${url}/bye`],
    backchannelLogoutUri: `${url}${CALLBACK}?logout=backchannel`,
  })
  const example = EXAMPLE.replaceAll('https://auth.example.org', gatehouse.issuer)
    .replaceAll('https://app.example.org', url)
    .replace('BeforeExpiry 840', 'BeforeExpiry 86400')
    .replace(/(OIDCClientID ).*/, `$1${clientId}`)
    .replace(/(OIDCClientSecret ).*/, `$1${clientSecret}`)
  return [example]
}

test.group('Counterpart | mod_auth_openidc', (group) => {
  withBrowser(group)

  let gatehouse: IdentityProduct
  let apache: Apache
  group.setup(async () => {
    Apache.install()
    gatehouse = await IdentityProduct.start()
    apache = await Apache.start({
      pages: { 'index.html': PERSON, 'bye': 'Bye' },
      settings: (url) => settingsFor(gatehouse, url),
    })
  })
  group.teardown(async () => {
    await apache?.remove()
    await gatehouse?.remove()
  })

  /** A person who has signed in at the application, in a browser. */
  async function signedIn() {
    const user = await gatehouse.newUser()
    const page = await visit()
    await page.goto(apache.url)
    await typeCredentials(page, user.email)
    await page.getByText(`email: ${user.email}`).waitFor()
    return { user, page }
  }

  /** Apache is told a moment later: nobody waits for it. */
  async function isSignedOut(page: Page) {
    await until(async () => {
      await page.goto(apache.url)
      return new URL(page.url()).pathname === '/sign-in'
    }, 10_000)
  }

  const confirmSignOut = (page: Page) => page.getByRole('button', { name: 'Sign out' }).click()

  test('tells the page who has signed in', async ({ assert }) => {
    const { page } = await signedIn()
    const text = await page.locator('body').innerText()
    assert.match(text, /role: User\s+amr: pwd/)
  })

  test('refuses an address that was not verified', async ({ assert }) => {
    const user = await gatehouse.newUser()
    await gatehouse.request(`/users/${user.id}`, { method: 'PUT', body: { emailVerified: false } })
    const page = await visit()
    await page.goto(apache.url)
    await typeCredentials(page, user.email)
    await page.waitForURL(`${apache.url}/`)
    assert.equal(await page.title(), '401 Unauthorized')
  })

  test('learns of a logout at the provider', async () => {
    const { page } = await signedIn()
    await page.goto(`${gatehouse.issuer}/oauth/logout`)
    await confirmSignOut(page)
    await page.getByRole('heading', { name: 'Signed out' }).waitFor()
    await isSignedOut(page)
  })

  test('signs out of the provider and comes back', async ({ assert }) => {
    const { user, page } = await signedIn()
    await page.goto(`${apache.url}${CALLBACK}?logout=${encodeURIComponent(`${apache.url}/bye`)}`)
    await confirmSignOut(page)
    await page.waitForURL(`${apache.url}/bye`)
    assert.deepEqual(await gatehouse.request(`/users/${user.id}/sessions`), [])
    await isSignedOut(page)
  })

  test('keeps nobody {who}')
    .with([
      { who: 'whose session was ended', path: '/sessions', change: { method: 'DELETE' } },
      { who: 'who was disabled', path: '', change: { method: 'PUT', body: { disabled: true } } },
    ])
    .run(async (_, { path, change }) => {
      const { user, page } = await signedIn()
      await page.reload()
      await page.getByText(`email: ${user.email}`).waitFor()
      await gatehouse.request(`/users/${user.id}${path}`, change)
      await isSignedOut(page)
    })
})
