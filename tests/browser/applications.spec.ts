import { createServer, type Server } from 'node:http'
import { once } from 'node:events'
import { test } from '@japa/runner'
import * as oidc from 'openid-client'
import { createUser } from '#tests/fixtures'
import { application, authorizationRequest } from '#tests/oidc'
import { assertAccessible, typeCredentials, visit, withBrowser } from './visitor.ts'

const HOSTILE = `${'Wide'.repeat(20)} مرحبا <b>bold</b>`

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

  async function requestOf(name = 'Grafana') {
    const app = await application({ name, redirectUris: [redirectUri] })
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
      await page.getByRole('button', { name: 'Withdraw' }).waitFor()
      await assertAccessible(page, assert)
    }
  })
})
