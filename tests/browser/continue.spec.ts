import { test } from '@japa/runner'
import { updateUser } from '#users/update_user'
import { SYSTEM } from '#audit/actor'
import { createUser } from '#tests/support/fixtures'
import { application, authorizationRequest } from '#tests/support/oidc'
import { documents, request, withDocuments } from '#tests/support/client_documents'
import { SCREENS } from './screens.ts'
import { assertAccessible, visit, visitAs, withBrowser } from './visitor.ts'

const HOSTILE = `Grafana ${'Wide'.repeat(16)} مرحبا <b>bold</b>`
const LOOPBACK = 'http://127.0.0.1:51004/callback'

test.group('Application | continue', (group) => {
  withBrowser(group)
  withDocuments(group)

  test('the page before a code on loopback is accessible: {colorScheme} {locale}')
    .with([...SCREENS])
    .run(async ({ assert }, screen) => {
      const native = { kind: 'first_party', tokenEndpointAuthMethod: 'none' } as const
      const app = await application({ ...native, name: HOSTILE, redirectUris: [LOOPBACK] })
      const { url } = await authorizationRequest(app, { redirect_uri: LOOPBACK })
      const { page, user } = await visitAs(await createUser(), { path: '/account', ...screen })
      await updateUser(user.id, { username: HOSTILE }, SYSTEM)
      await page.goto(url.pathname + url.search)
      await page.locator('button[value=allow]').waitFor()
      await assertAccessible(page, assert)
    })

  test('the page of a client that is not trusted is accessible: {colorScheme} {locale}')
    .with([...SCREENS])
    .run(async ({ assert }, screen) => {
      const { url } = await request(documents.serve('/client.json'), { prompt: 'none' })
      const page = await visit(screen)
      await page.goto(url.href)
      await page.locator('#request-id').waitFor()
      await assertAccessible(page, assert)
    })
})
