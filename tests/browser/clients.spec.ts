import { test } from '@japa/runner'
import type { Page } from 'playwright-core'
import settings from '#config/oidc'
import { SYSTEM } from '#audit/actor'
import { listSessions } from '#auth/sessions/sessions'
import { isSecretOf } from '#oidc/clients/secrets'
import { deleteClient } from '#oidc/clients/clients'
import { findClientById, readClients } from '#oidc/clients/client_rows'
import { createUser } from '#tests/support/fixtures'
import { application, browserOf, tokensOf } from '#tests/support/oidc'
import { assertAccessible, confirmPassword, visitAs, withBrowser } from './visitor.ts'

const CALLBACK = 'https://grafana.example.org/login/generic_oauth'
const SECRET = /ghs_[\w-]{43}/

const recent = { idleMinutes: 0 }

/** Returns the id of the client whose page is open. */
function idOf(page: Page) {
  return new URL(page.url()).pathname.split('/')[3]
}

async function clientOn(page: Page) {
  return (await findClientById(idOf(page)))!
}

/** Registers Grafana from its preset, and stays on its page. */
async function registerGrafana(page: Page) {
  await page.goto('/admin/clients/create?for=grafana')
  await page.getByRole('button', { name: 'Register an application' }).click()
  await page.getByText('The application was registered.').waitFor()
}

async function deleteAll() {
  for (const { id } of await readClients()) await deleteClient(id, SYSTEM)
}

test.group('Console | applications', (group) => {
  withBrowser(group)

  test('an empty list leads to the first one', async ({ assert }) => {
    await deleteAll()
    const { page } = await visitAs(undefined, {
      ...recent,
      path: '/admin',
      javaScriptEnabled: false,
    })
    await page.getByRole('link', { name: 'Applications' }).click()
    await page.getByText('No applications yet').waitFor()
    await page.getByRole('link', { name: 'GitLab' }).click()
    assert.equal(
      await page.getByLabel('Redirect addresses').inputValue(),
      'https://gitlab.example.org/users/auth/openid_connect/callback'
    )
    await page.getByLabel('Redirect addresses').fill('https://git.acme.test/callback')
    await page.getByRole('button', { name: 'Register an application' }).click()
    await page.getByText('The application was registered.').waitFor()
    await page.goto('/admin/clients')
    const row = page.getByRole('row', { name: 'GitLab' })
    await row.getByText('git.acme.test').waitFor()
    await row.getByText('none recently').waitFor()
  })

  test('an application is found and filled in by its address', async ({ assert }) => {
    const { page } = await visitAs(undefined, { ...recent, javaScriptEnabled: false })
    await page.goto('/admin/clients/create')
    await page.getByLabel('Search applications').fill('cloud')
    await page.getByRole('button', { name: 'Search' }).click()
    const links = page.getByRole('navigation', { name: 'Applications' }).getByRole('link')
    assert.deepEqual(await links.allInnerTexts(), ['Nextcloud'])
    await links.click()
    await page.getByLabel('Address of Nextcloud').fill('https://cloud.acme.test/files/')
    await page.getByRole('button', { name: 'Fill in' }).click()
    const paths = ['apps/user_oidc/code', 'index.php/apps/user_oidc/code']
    const filled = paths.map((path) => `https://cloud.acme.test/files/${path}`).join('\n')
    assert.equal(await page.getByLabel('Redirect addresses').inputValue(), filled)
    await page.getByRole('button', { name: 'Register an application' }).click()
    const snippet = await page.locator('#settings-nextcloud').innerText()
    assert.include(snippet, 'php occ user_oidc:provider gatehouse')
    const { backchannelLogoutUri, homeUrl, requirePkce } = await clientOn(page)
    assert.deepEqual([homeUrl, requirePkce], ['https://cloud.acme.test/files', true])
    assert.equal(
      backchannelLogoutUri,
      'https://cloud.acme.test/files/index.php/apps/user_oidc/backchannel-logout/gatehouse'
    )
  })

  test('an address that was only typed is filled in first', async ({ assert }) => {
    const { page } = await visitAs(undefined, recent)
    await page.goto('/admin/clients/create?for=miniflux')
    await page.getByLabel('Address of Miniflux').fill('http://localhost:8080')
    await page.getByRole('button', { name: 'Register an application' }).click()
    await page.waitForURL(/url=http/)
    const filled = 'http://localhost:8080/oauth2/oidc/callback'
    assert.equal(await page.getByLabel('Redirect addresses').inputValue(), filled)
    await page.getByRole('button', { name: 'Register an application' }).click()
    await page.getByText('The application was registered.').waitFor()
    const { redirectUris } = await clientOn(page)
    assert.deepEqual(redirectUris, [filled])
  })

  test('an address that is none is shown at its field', async ({ assert }) => {
    const { page } = await visitAs(undefined, recent)
    await page.goto('/admin/clients/create?for=grafana&url=javascript:alert(1)')
    await page.locator('#field-url-error').getByText('Enter an https or http address').waitFor()
    await assertAccessible(page, assert)
    assert.equal(await page.getByLabel('Redirect addresses').inputValue(), CALLBACK)
  })

  test('the settings of another application can be shown', async ({ assert }) => {
    const { client } = await application({ redirectUris: [CALLBACK] })
    const { page } = await visitAs(undefined, recent)
    await page.goto(`/admin/clients/${client.id}`)
    await page.locator('#settings-grafana').waitFor()
    await page.getByText('Settings for another application').click()
    await page.getByRole('link', { name: 'Portainer' }).click()
    await page.locator('#settings').getByRole('term').getByText('User identifier').waitFor()
    assert.equal(await page.locator('#settings-grafana').count(), 0)
  })

  test('a new one shows its secret once', async ({ assert }) => {
    const { page } = await visitAs(undefined, recent)
    await registerGrafana(page)
    const secret = await page.locator('#secret').innerText()
    const { clientId } = await clientOn(page)
    const snippet = await page.locator('#settings-grafana').innerText()
    assert.match(secret, SECRET)
    assert.include(snippet, `client_secret = ${secret}\n`)
    assert.include(snippet, `client_id = ${clientId}\n`)
    assert.include(snippet, `token_url = ${settings.issuer}/oauth/token\n`)
    await page.reload()
    await page.getByText('Replace CLIENT_SECRET with the secret').waitFor()
    assert.notMatch(await page.content(), SECRET)
    assert.include(await page.content(), 'client_secret = CLIENT_SECRET')
  })

  test('a new one asks for a recent proof first', async ({ assert }) => {
    const { page } = await visitAs()
    await page.goto('/admin/clients/create?for=nextcloud')
    await page.getByRole('button', { name: 'Register an application' }).click()
    await page.getByText('Register the application Nextcloud.').waitFor()
    await confirmPassword(page)
    await page.locator('#secret').waitFor()
    const client = await clientOn(page)
    assert.equal(client.tokenEndpointAuthMethod, 'client_secret_post')
    assert.isTrue(isSecretOf(client, await page.locator('#secret').innerText()))
  })

  test('a form sent twice registers one, with one secret', async ({ assert }) => {
    const { page } = await visitAs(undefined, recent)
    await page.goto('/admin/clients/create?for=grafana')
    const form = await fieldsOf(page, '/admin/clients')
    const name = `Grafana ${Date.now()}`
    const send = () =>
      page.request.post('/admin/clients', { form: { ...form, name }, maxRedirects: 0 })
    const answers = await Promise.all([send(), send()])
    const [one, other] = answers.map((answer) => answer.headers().location)
    const clients = await readClients()
    const named = clients.filter((client) => client.name === name)
    assert.deepEqual([named.length, one], [1, other])
    await page.goto(one)
    assert.isTrue(isSecretOf(named[0], await page.locator('#secret').innerText()))
  })

  test('a rotated secret is shown once, the former works', async ({ assert }) => {
    const { client, clientSecret } = await application()
    const { page } = await visitAs(undefined, recent)
    await page.goto(`/admin/clients/${client.id}`)
    await page.getByRole('link', { name: 'Rotate' }).click()
    await page.getByRole('button', { name: 'Rotate the secret' }).click()
    await page.getByText('The secret was rotated.').waitFor()
    await page.getByText('The previous secret works until').first().waitFor()
    const secret = await page.locator('#secret').innerText()
    const rotated = await clientOn(page)
    assert.isTrue(isSecretOf(rotated, secret))
    assert.isTrue(isSecretOf(rotated, clientSecret!))
    await page.reload()
    assert.notMatch(await page.content(), SECRET)
  })

  test('a rotation sent twice keeps the secret in use', async ({ assert }) => {
    const { client, clientSecret } = await application()
    const { page } = await visitAs(undefined, recent)
    const path = `/admin/clients/${client.id}/rotate-secret`
    await page.goto(path)
    const form = await fieldsOf(page, path)
    const send = () => page.request.post(path, { form, maxRedirects: 0 })
    await Promise.all([send(), send()])
    await page.goto(`/admin/clients/${client.id}`)
    const rotated = await clientOn(page)
    assert.isTrue(isSecretOf(rotated, await page.locator('#secret').innerText()))
    assert.isTrue(isSecretOf(rotated, clientSecret!))
  })

  test('a wrong address is shown at its field', async ({ assert }) => {
    const { client } = await application({ name: 'Wiki' })
    const { page } = await visitAs(undefined, recent)
    await page.goto(`/admin/clients/${client.id}`)
    await page.getByLabel('Name', { exact: true }).fill('Wiki of Ada')
    const typed = `${CALLBACK}\nhttp://wiki.example.org/callback`
    await page.getByLabel('Redirect addresses').fill(typed)
    await page.getByRole('button', { name: 'Save changes' }).click()
    const errors = page.locator('#field-redirectUris-error')
    await errors.getByText('http://wiki.example.org/callback is no redirect address').waitFor()
    await assertAccessible(page, assert)
    assert.equal(await page.getByLabel('Redirect addresses').inputValue(), typed)
    assert.equal(await page.getByLabel('Name', { exact: true }).inputValue(), 'Wiki of Ada')
    await page.getByLabel('Redirect addresses').fill(CALLBACK)
    await page.getByRole('button', { name: 'Save changes' }).click()
    await page.getByText('The changes were saved.').waitFor()
    const { name, redirectUris } = await clientOn(page)
    assert.deepEqual([name, redirectUris], ['Wiki of Ada', [CALLBACK]])
  })

  test('a form without a grant says so beside them', async ({ assert }) => {
    const { client } = await application()
    const { page } = await visitAs(undefined, recent)
    await page.goto(`/admin/clients/${client.id}`)
    await page.getByText('More settings').click()
    await page.getByLabel('Sign-in in the browser').uncheck()
    await page.getByLabel('Refresh tokens (refresh_token)').uncheck()
    await page.getByLabel('email').uncheck()
    await page.getByRole('button', { name: 'Save changes' }).click()
    const grants = page.getByRole('group', { name: 'Grant types' })
    await grants.getByText('Select at least one').waitFor()
    assert.isFalse(await page.getByLabel('email').isChecked())
    const { grantTypes } = await clientOn(page)
    assert.deepEqual(grantTypes, client.grantTypes)
  })

  test('an older page leaves alone what others changed', async ({ assert }) => {
    const { client } = await application({ name: 'Before' })
    const { page } = await visitAs(undefined, recent)
    await page.goto(`/admin/clients/${client.id}`)
    const other = await page.context().newPage()
    await other.goto(`/admin/clients/${client.id}`)
    await other.getByLabel('Name', { exact: true }).fill('After')
    await other.getByRole('button', { name: 'Save changes' }).click()
    await other.getByText('The changes were saved.').waitFor()
    await page.getByLabel('Redirect addresses').fill(CALLBACK)
    await page.getByRole('button', { name: 'Save changes' }).click()
    await page.getByText('The changes were saved.').waitFor()
    const { name, redirectUris, scopes } = await clientOn(page)
    assert.deepEqual([name, redirectUris, scopes], ['After', [CALLBACK], client.scopes])
  })

  test('deleting one ends its sessions', async ({ assert }) => {
    const user = await createUser()
    const app = await application({ kind: 'first_party', name: 'Intranet of old' })
    const browser = await browserOf(user)
    await tokensOf(app, browser)
    assert.lengthOf(await listSessions(user.id), 2)
    const { page } = await visitAs(undefined, recent)
    await page.goto(`/admin/clients/${app.client.id}`)
    await page.getByRole('link', { name: 'Delete' }).click()
    await page.getByText('One session with it ends at once').waitFor()
    await page.getByRole('button', { name: 'Delete permanently' }).click()
    await page.getByText('Intranet of old was deleted.').waitFor()
    assert.lengthOf(await listSessions(user.id), 1)
    assert.isNull(await findClientById(app.client.id))
  })

  test('the list tells when somebody signed in', async () => {
    const app = await application({ kind: 'first_party', name: 'Used today' })
    await tokensOf(app, await browserOf(await createUser()))
    const { page } = await visitAs(undefined, { path: '/admin/clients' })
    await page.getByRole('row', { name: 'Used today' }).getByText('just now').waitFor()
  })

  test('without the provider the page says why', async ({ assert }) => {
    settings.isOn = false
    const { page } = await visitAs(undefined, { path: '/admin' })
    assert.equal(await page.getByRole('link', { name: 'Applications' }).count(), 0)
    await page.goto('/admin/clients')
    await page.getByText('The OpenID provider is off').waitFor()
  }).teardown(() => {
    settings.isOn = true
  })
})

async function fieldsOf(page: Page, action: string): Promise<Record<string, string>> {
  return page
    .locator(`form[action="${action}"]`)
    .evaluate((form: any) => Object.fromEntries(new (globalThis as any).FormData(form)))
}
