import { test } from '@japa/runner'
import { giveConsent } from '#oidc/consents/consents'
import { listMetadataClients } from '#oidc/client_id_metadata/metadata_clients'
import { SYSTEM } from '#audit/actor'
import { createUser } from '#tests/support/fixtures'
import { documents, request, withDocuments } from '#tests/support/client_documents'
import {
  assertAccessible,
  confirmPassword,
  typeCredentials,
  visit,
  visitAs,
  withBrowser,
} from './visitor.ts'

const HOSTILE = `Grafana ${'Wide'.repeat(12)} مرحبا <b>bold</b>`

test.group('Client metadata documents', (group) => {
  withBrowser(group)
  withDocuments(group)

  const SCREENS = [
    { colorScheme: 'light', viewport: { width: 1_280, height: 900 } },
    { colorScheme: 'light', viewport: { width: 390, height: 800 } },
    { colorScheme: 'dark', viewport: { width: 390, height: 800 } },
  ] as const

  test('the consent of a stranger is accessible: {colorScheme}')
    .with([...SCREENS])
    .run(async ({ assert }, screen) => {
      const clientId = documents.serve('/client.json', { client_name: HOSTILE })
      const redirect = { redirect_uri: 'http://127.0.0.1:51234/callback' }
      const { url } = await request(clientId, redirect)
      const page = await visit(screen)
      await page.goto(url.href)
      const { email } = await createUser()
      await typeCredentials(page, email)
      await page.getByText('Any program here could have asked.').waitFor()
      await assertAccessible(page, assert)
    })

  test('the page of a document that cannot be used is accessible: {colorScheme}')
    .with([...SCREENS])
    .run(async ({ assert }, screen) => {
      const { url } = await request(documents.url(`/${'wide'.repeat(40)}`))
      const page = await visit(screen)
      await page.goto(url.href)
      await page.getByText('did not answer with status 200').waitFor()
      await assertAccessible(page, assert)
    })

  test('the console lists those that people allowed, and ends one: {colorScheme}')
    .with([...SCREENS])
    .run(async ({ assert }, screen) => {
      const clientId = `https://${'wide'.repeat(12)}.example.org/${'deep/'.repeat(20)}client.json`
      const { id } = await createUser()
      const allowed = { scopes: ['openid'], resources: [] }
      await giveConsent({ userId: id, clientId }, allowed, SYSTEM)
      const { page } = await visitAs(undefined, { path: '/admin/clients', ...screen })
      const row = page.getByRole('row').filter({ hasText: clientId })
      await row.getByText('1 account').waitFor()
      await assertAccessible(page, assert)
      await row.getByRole('button', { name: 'End sessions' }).click()
      await confirmPassword(page)
      await page.getByText('ended.').waitFor()
      const listed = await listMetadataClients()
      assert.notInclude(
        listed.map((client) => client.clientId),
        clientId
      )
    })
})
