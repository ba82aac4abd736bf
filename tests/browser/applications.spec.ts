import { createServer, type Server } from 'node:http'
import { once } from 'node:events'
import { test } from '@japa/runner'
import * as oidc from 'openid-client'
import { createUser } from '#tests/support/fixtures'
import { application, authorizationRequest } from '#tests/support/oidc'
import type { NewClient } from '#oidc/clients/client_fields'
import { assertAccessible, typeCredentials, visit, withBrowser } from './visitor.ts'

const HOSTILE = `${'Wide'.repeat(20)} مرحبا <b>bold</b>`

/** Returns a form of the application that posts its request. */
function formOf({ origin, pathname, searchParams }: URL) {
  const fields = [...searchParams].map(
    ([name, value]) => `<input type="hidden" name="${name}" value="${value}">`
  )
  return `<form method="post" action="${origin}${pathname}">${fields.join('')}<button>Go</button></form>`
}

test.group('Applications', (group) => {
  withBrowser(group)

  let server: Server
  let redirectUri: string
  group.setup(async () => {
    server = createServer((_, response) => response.end('<h1>At the application</h1>'))
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    const { port } = server.address() as { port: number }
    redirectUri = `http://127.0.0.1:${port}/callback`
  })
  group.teardown(() => void server.close())

  async function requestOf(name = 'Grafana', given: Partial<NewClient> = {}) {
    const app = await application({ name, redirectUris: [redirectUri], ...given })
    return { app, ...(await authorizationRequest(app, { redirect_uri: redirectUri })) }
  }

  test('a person signs in, consents and is back', async ({ assert }) => {
    const user = await createUser()
    const { app, url, checks } = await requestOf()
    const page = await visit({ javaScriptEnabled: false })
    await page.goto(url.href)
    await typeCredentials(page, user.email)
    await page.getByRole('button', { name: 'Allow', exact: true }).click()
    await page.getByRole('heading', { name: 'At the application' }).waitFor()
    const answer = new URL(page.url())
    const tokens = await oidc.authorizationCodeGrant(app.config, answer, checks)
    assert.equal(tokens.claims()!.sub, user.id)
  })

  test('a request that is posted finds who is signed in', async ({ assert }) => {
    const user = await createUser()
    const { app, url, checks } = await requestOf('Grafana', { kind: 'first_party' })
    const page = await visit({ javaScriptEnabled: false })
    await page.goto(new URL('/sign-in', url).href)
    await typeCredentials(page, user.email)
    await page.waitForURL('**/account')
    await page.route(`${redirectUri}/form`, (route) =>
      route.fulfill({ contentType: 'text/html', body: formOf(url) })
    )
    await page.goto(`${redirectUri}/form`)
    await page.getByRole('button').click()
    await page.getByRole('heading', { name: 'At the application' }).waitFor()
    const tokens = await oidc.authorizationCodeGrant(app.config, new URL(page.url()), checks)
    assert.equal(tokens.claims()!.sub, user.id)
  })

  test('the consent is accessible in light, dark and narrow', async ({ assert }) => {
    for (const colorScheme of ['light', 'dark'] as const) {
      const { url } = await requestOf(HOSTILE)
      const page = await visit({ colorScheme, viewport: { width: 390, height: 800 } })
      await page.goto(url.href)
      const user = await createUser()
      await typeCredentials(page, user.email)
      await page.getByRole('button', { name: 'Allow', exact: true }).waitFor()
      await assertAccessible(page, assert)
      await page.getByRole('button', { name: 'Allow', exact: true }).click()
      await page.getByRole('heading', { name: 'At the application' }).waitFor()
      await page.goto(new URL('/account/applications', url).href)
      await page.getByRole('button', { name: 'Revoke access' }).waitFor()
      await assertAccessible(page, assert)
    }
  })
})
