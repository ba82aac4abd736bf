import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from '@japa/runner'
import { Apache } from '#tests/servers/apache'
import { until } from '#tests/support/waiting'
import { typeCredentials, visit, withBrowser } from '../browser/visitor.ts'
import { IdentityProduct } from './identity_product.ts'
import type { Page } from 'playwright-core'

/* Apache with `mod_auth_openidc` in a browser, configured as the provider's document says. */

function document(name: string) {
  return readFileSync(join(import.meta.dirname, '../../docs', name), 'utf8')
}

const [, EXAMPLE] = /```apache\n([\s\S]*?)```/.exec(document('openid-provider.md'))!

const PERSON = ['email', 'role', 'amr']
  .map((name) => `<p>${name}: <!--#echo var="OIDC_CLAIM_${name}" --></p>`)
  .join('\n')

const CALLBACK = '/oidc/callback'

/** The configuration in the document about groups. */
const [, ADMINS] = /```apache\n([\s\S]*?)```/.exec(document('groups.md'))!

/** Gatehouse tells Apache of ended sessions. Otherwise, Apache renews its token at each request. */
function startSite(gatehouse: IdentityProduct, { isTold }: { isTold: boolean }) {
  return Apache.start({
    pages: { 'index.html': PERSON, 'bye': 'Bye', 'admins/index.html': 'For admins alone' },
    settings: async (url) => {
      const { clientId, clientSecret } = await gatehouse.register({
        name: 'Wiki',
        kind: 'first_party',
        requireVerifiedEmail: false,
        redirectUris: [`${url}${CALLBACK}`],
        postLogoutRedirectUris: [`${url}/bye`],
        backchannelLogoutUri: isTold ? `${url}${CALLBACK}?logout=backchannel` : null,
      })
      const settings = EXAMPLE.replaceAll('https://auth.example.org', gatehouse.issuer)
        .replaceAll('https://app.example.org', url)
        .replace(/(OIDCClientID ).*/, `$1${clientId}`)
        .replace(/(OIDCClientSecret ).*/, `$1${clientSecret}`)
      const withGroups = settings.replace('offline_access"', 'offline_access groups"') + ADMINS
      return [isTold ? withGroups : settings.replace('BeforeExpiry 840', 'BeforeExpiry 86400')]
    },
  })
}

const ENDS = [
  { who: 'whose session was ended', path: '/sessions', change: { method: 'DELETE' } },
  { who: 'who was disabled', path: '', change: { method: 'PUT', body: { disabled: true } } },
]

test.group('Counterpart | mod_auth_openidc', (group) => {
  withBrowser(group)

  let gatehouse: IdentityProduct
  let told: Apache
  let renewing: Apache
  group.setup(async () => {
    Apache.install()
    gatehouse = await IdentityProduct.start()
    told = await startSite(gatehouse, { isTold: true })
    renewing = await startSite(gatehouse, { isTold: false })
  })
  group.teardown(async () => {
    await told?.remove()
    await renewing?.remove()
    await gatehouse?.remove()
  })

  /** Signs a person in to the application, in a browser. */
  async function signedIn(apache: Apache) {
    const user = await gatehouse.newUser()
    const page = await visit()
    await page.goto(apache.url)
    await typeCredentials(page, user.email)
    await page.getByText(`email: ${user.email}`).waitFor()
    return { user, page }
  }

  /** The sign-out does not wait for Apache, which is told a moment later. */
  function isAskedToSignIn(page: Page, apache: Apache) {
    return until(async () => {
      await page.goto(apache.url)
      return (await page.locator('#field-password').count()) === 1
    }, 10_000)
  }

  const confirmSignOut = (page: Page) => page.getByRole('button', { name: 'Sign out' }).click()

  test('tells the page who has signed in', async ({ assert }) => {
    const { page } = await signedIn(told)
    const text = await page.locator('body').innerText()
    assert.match(text, /role: User\s+amr: pwd/)
  })

  test('refuses an address that was not verified', async ({ assert }) => {
    const user = await gatehouse.newUser()
    await gatehouse.request(`/users/${user.id}`, { method: 'PUT', body: { emailVerified: false } })
    const page = await visit()
    await page.goto(told.url)
    await typeCredentials(page, user.email)
    await page.waitForURL(`${told.url}/`)
    assert.equal(await page.title(), '401 Unauthorized')
  })

  test('lets the members of a group in, and no other user', async ({ assert }) => {
    const { id: groupId } = await gatehouse.request('/groups', { body: { name: 'admins' } })
    const { id: otherId } = await gatehouse.request('/groups', { body: { name: 'admins-too' } })
    const titles: string[] = []
    for (const groupIds of [[groupId, otherId], [otherId], []]) {
      const user = await gatehouse.newUser()
      for (const id of groupIds)
        await gatehouse.request(`/groups/${id}/members/${user.id}`, { method: 'PUT' })
      const page = await visit()
      await page.goto(`${told.url}/admins/`)
      await typeCredentials(page, user.email)
      await page.waitForURL(`${told.url}/admins/`)
      titles.push(await page.locator('body').innerText())
      await page.context().close()
    }
    const [member, ...others] = titles
    assert.include(member, 'For admins alone')
    for (const text of others) assert.notInclude(text, 'For admins alone')
  })

  test('is told of a logout at the provider', async () => {
    const { page } = await signedIn(told)
    await page.goto(`${gatehouse.issuer}/oauth/logout`)
    await confirmSignOut(page)
    await page.getByRole('heading', { name: 'Signed out' }).waitFor()
    await isAskedToSignIn(page, told)
  })

  test('is told of a person {who}')
    .with(ENDS)
    .run(async (_, { path, change }) => {
      const { user, page } = await signedIn(told)
      await gatehouse.request(`/users/${user.id}${path}`, change)
      await isAskedToSignIn(page, told)
    })

  test('signs out of the provider and comes back', async ({ assert }) => {
    const { user, page } = await signedIn(told)
    await page.goto(`${told.url}${CALLBACK}?logout=${encodeURIComponent(`${told.url}/bye`)}`)
    await page.waitForURL(`${told.url}/bye`)
    assert.deepEqual(await gatehouse.request(`/users/${user.id}/sessions`), [])
    await isAskedToSignIn(page, told)
  })

  test('renews no token of a person {who}')
    .with(ENDS)
    .run(async ({ assert }, { path, change }) => {
      const { user, page } = await signedIn(renewing)
      await page.reload()
      await page.getByText(`email: ${user.email}`).waitFor()
      await gatehouse.request(`/users/${user.id}${path}`, change)
      await page.reload()
      assert.equal(await page.title(), 'Logged Out')
    })
})
