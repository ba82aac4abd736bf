import { test } from '@japa/runner'
import { createUser } from '#tests/fixtures'
import { documents, request, withDocuments } from '#tests/client_documents'
import { assertAccessible, typeCredentials, visit, withBrowser } from './visitor.ts'

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
})
