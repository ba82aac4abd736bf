import { generateKeyPairSync } from 'node:crypto'
import { test } from '@japa/runner'
import sharp from 'sharp'
import db from '@adonisjs/lucid/services/db'
import { SYSTEM } from '#audit/actor'
import { createClient } from '#oidc/clients/clients'
import { findClient, findClientById } from '#oidc/clients/client_rows'
import { isSecretOf } from '#oidc/clients/secrets'
import { createUser } from '#tests/support/fixtures'
import { application, authorizationRequest } from '#tests/support/oidc'
import { assertAccessible, confirmPassword, visitAs, withBrowser } from './visitor.ts'

const SECRET = 'brought-along-by-an-application-that-has-one'
const REDIRECT = 'https://wiki.example.org/callback'
const HOME = 'https://wiki.example.org/start'

const recent = { idleMinutes: 0 }

function logo() {
  const create = { width: 80, height: 40, channels: 3 as const, background: '#a03060' }
  return sharp({ create }).png().toBuffer()
}

async function logoFile() {
  return { name: 'logo.png', mimeType: 'image/png', buffer: await logo() }
}

test.group('Console | settings of an application', (group) => {
  withBrowser(group)

  test('an ID and a secret are brought along', async ({ assert }) => {
    const { page } = await visitAs(undefined, recent)
    const clientId = `wiki-${Date.now()}`
    await page.goto('/admin/clients/create')
    await page.getByLabel('Name', { exact: true }).fill('Wiki')
    await page.getByLabel('Redirect addresses').fill(REDIRECT)
    await page.getByText('Your own ID and secret').click()
    await page.getByLabel('Client ID').fill(clientId)
    await page.getByLabel('Client secret').fill('too short')
    await page.getByRole('button', { name: 'Register an application' }).click()
    await page.locator('#field-clientSecret-error').waitFor()
    await assertAccessible(page, assert)
    await page.getByLabel('Client secret').fill(SECRET)
    await page.getByRole('button', { name: 'Register an application' }).click()
    await page.getByText('The application was registered.').waitFor()
    assert.isTrue(isSecretOf((await findClient(clientId))!, SECRET))
  })

  test('a taken ID is said at its field', async () => {
    const { client } = await application()
    const { page } = await visitAs(undefined, recent)
    await page.goto('/admin/clients/create')
    await page.getByLabel('Name', { exact: true }).fill('Wiki')
    await page.getByLabel('Redirect addresses').fill(REDIRECT)
    await page.getByText('Your own ID and secret').click()
    await page.getByLabel('Client ID').fill(client.clientId)
    await page.getByRole('button', { name: 'Register an application' }).click()
    const error = page.locator('#field-clientId-error')
    await error.getByText('Another application or account has this ID').waitFor()
  })

  test('a form saved without a change writes nothing', async ({ assert }) => {
    const keys = [generateKeyPairSync('ed25519').publicKey.export({ format: 'jwk' })]
    const { client } = await createClient(
      {
        ...{ name: 'Bank', redirectUris: [REDIRECT], homeUrl: HOME, refreshTokenTtl: '30d' },
        ...{ tokenEndpointAuthMethod: 'private_key_jwt', jwks: { keys }, requirePar: true },
      },
      SYSTEM
    )
    const { page } = await visitAs(undefined, recent)
    const count = async () => db.from('audit_events').where('action', 'client.updated')
    const before = await count()
    await page.goto(`/admin/clients/${client.id}`)
    await page.getByRole('button', { name: 'Save changes' }).click()
    await page.getByText('The changes were saved.').waitFor()
    assert.deepEqual(await findClientById(client.id), client)
    assert.lengthOf(await count(), before.length)
  })

  test('switches are ticked and unticked', async ({ assert }) => {
    const { client } = await application()
    const { page } = await visitAs(undefined, recent)
    await page.goto(`/admin/clients/${client.id}`)
    await page.getByText('Tokens and security').click()
    await page.getByLabel('Require PKCE').check()
    await page.getByLabel('Require a verified e-mail address').uncheck()
    await page.getByLabel('Lifetime of refresh tokens').fill('12h')
    await page.getByRole('button', { name: 'Save changes' }).click()
    await page.getByText('The changes were saved.').waitFor()
    const changed = await findClientById(client.id)
    const expected = { requirePkce: true, requireVerifiedEmail: false, refreshTokenTtl: '12h' }
    assert.deepEqual(changed, { ...client, ...expected, updatedAt: changed!.updatedAt })
  })

  test('the list is searched', async ({ assert }) => {
    const name = `Wiki ${Date.now()}`
    await application({ name })
    const { page } = await visitAs(undefined, recent)
    await page.goto('/admin/clients')
    await page.getByLabel('Name, ID or address').fill(name.toLowerCase())
    await page.getByRole('button', { name: 'Filter' }).click()
    await page.getByRole('row', { name }).waitFor()
    assert.equal(await page.locator('tbody tr').count(), 1)
    await page.getByLabel('Name, ID or address').fill('none has this')
    await page.getByRole('button', { name: 'Filter' }).click()
    await page.getByText('No application matches').waitFor()
    await assertAccessible(page, assert)
  })
})

test.group('Console | logo of an application', (group) => {
  withBrowser(group)

  test('consent and the list of the user show it', async ({ assert }) => {
    const app = await application({ name: 'Wiki of Ada', homeUrl: HOME })
    const { page } = await visitAs(undefined, recent)
    await page.goto(`/admin/clients/${app.client.id}`)
    await page.getByLabel('Picture').setInputFiles(await logoFile())
    await page.getByRole('button', { name: 'Use this picture' }).click()
    await page.getByText('The logo was changed.').waitFor()
    const { logo: path } = (await findClientById(app.client.id))!
    const { url } = await authorizationRequest(app)
    const own = await visitAs(await createUser(), { ...recent, path: url.pathname + url.search })
    await own.page.locator(`img[src="${path}"]`).waitFor()
    await own.page.getByRole('link', { name: 'wiki.example.org' }).waitFor()
    await assertAccessible(own.page, assert)
  })

  test('a file that is none is said at its field', async ({ assert }) => {
    const { client } = await application()
    const { page } = await visitAs(undefined, recent)
    await page.goto(`/admin/clients/${client.id}`)
    const file = { name: 'logo.png', mimeType: 'image/png', buffer: Buffer.from('no picture') }
    await page.getByLabel('Picture').setInputFiles(file)
    await page.getByRole('button', { name: 'Use this picture' }).click()
    await page.getByText('Choose a JPEG, PNG or WebP picture').waitFor()
    await assertAccessible(page, assert)
  })

  test('an old session confirms, then chooses once more', async () => {
    const { client } = await application()
    const { page } = await visitAs()
    await page.goto(`/admin/clients/${client.id}`)
    await page.getByLabel('Picture').setInputFiles(await logoFile())
    await page.getByRole('button', { name: 'Use this picture' }).click()
    await confirmPassword(page)
    await page.getByText('Choose the picture once more.').waitFor()
    await page.getByLabel('Picture').setInputFiles(await logoFile())
    await page.getByRole('button', { name: 'Use this picture' }).click()
    await page.getByText('The logo was changed.').waitFor()
    await page.getByRole('button', { name: 'Remove the logo' }).click()
    await page.getByText('The logo was removed.').waitFor()
  })
})
