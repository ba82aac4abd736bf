import { createServer, type Server } from 'node:http'
import { once } from 'node:events'
import { test } from '@japa/runner'
import { createUser } from '#tests/support/fixtures'
import { application, authorizationRequest } from '#tests/support/oidc'
import { typeCredentials, visit, withBrowser } from './visitor.ts'
import type { Page } from 'playwright-core'

/* Our pages allow forms only to this site, and browsers apply this policy to redirects. */

const SCHEME = 'com.example.app:/callback'

test.group('Application | redirect after a form', (group) => {
  withBrowser(group)

  let server: Server
  let uri: string
  group.setup(async () => {
    server = createServer((_, response) => response.end('<h1>At the application</h1>'))
    await once(server.listen(0), 'listening')
    const { port } = server.address() as { port: number }
    uri = `http://grafana.localhost:${port}/callback`
  })
  group.teardown(() => void server.close())

  async function requestTo(redirectUri: string) {
    const settings = { kind: 'first_party', allowHttp: true } as const
    const app = await application({ ...settings, redirectUris: [redirectUri] })
    const { url } = await authorizationRequest(app, { redirect_uri: redirectUri })
    return url
  }

  /** The session must be on the host to which the provider redirects. */
  async function signedIn(url: URL, settings = {}) {
    const user = await createUser()
    const page = await visit(settings)
    await page.goto(new URL('/sign-in', url).href)
    await typeCredentials(page, user.email)
    await page.waitForURL('**/account')
    return page
  }

  const arrive = (page: Page) => page.getByRole('heading', { name: 'At the application' }).waitFor()

  test('a sign-in leads to http in a network, scripts: {javaScriptEnabled}')
    .with([{ javaScriptEnabled: true }, { javaScriptEnabled: false }])
    .run(async (_, settings) => {
      const user = await createUser()
      const url = await requestTo(uri)
      const page = await visit(settings)
      await page.goto(url.href)
      await typeCredentials(page, user.email)
      await arrive(page)
    })

  test('a click leads to http in a network, scripts: {javaScriptEnabled}')
    .with([{ javaScriptEnabled: true }, { javaScriptEnabled: false }])
    .run(async (_, settings) => {
      const url = await requestTo(uri)
      const page = await signedIn(url, settings)
      await page.goto(url.href)
      await page.getByRole('button', { name: 'Continue to Grafana' }).click()
      await arrive(page)
    })

  test('a click leads to the scheme of an app', async ({ assert }) => {
    const url = await requestTo(SCHEME)
    const page = await signedIn(url)
    const messages: string[] = []
    page.on('console', (message) => messages.push(message.text()))
    await page.goto(url.href)
    const answered = page.waitForResponse((response) => response.status() === 303)
    await page.getByRole('button', { name: 'Continue to Grafana' }).click()
    const response = await answered
    assert.isTrue(response.headers().location.startsWith(`${SCHEME}?code=`))
    assert.notMatch(messages.join(), /Content Security Policy/)
  })
})
