import { createServer, type IncomingMessage, type Server } from 'node:http'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { test } from '@japa/runner'
import * as oidc from 'openid-client'
import { assetPath } from '#pages/assets'
import { createUser } from '#tests/support/fixtures'
import { application, authorizationRequest } from '#tests/support/oidc'
import { SCREENS } from './screens.ts'
import { assertAccessible, typeCredentials, visit, visitAs, withBrowser } from './visitor.ts'

const FORM = { response_mode: 'form_post' }
const HOSTILE = `Grafana ${'Wide'.repeat(16)} مرحبا <b>bold</b>`

test.group('Form post', (group) => {
  withBrowser(group)

  let server: Server
  let port: number
  let posted: { body: URLSearchParams; origin?: string } | undefined

  /** Redirects to another host after the form, as a gateway does. */
  async function answer(request: IncomingMessage) {
    if (request.method !== 'POST') return null
    posted = { body: new URLSearchParams(await text(request)), origin: request.headers.origin }
    return `http://localhost:${port}/home`
  }

  group.setup(async () => {
    server = createServer((request, response) => {
      void answer(request).then((location) => {
        if (location) return response.writeHead(303, { location }).end()
        response.end('<h1>At the application</h1>')
      })
    })
    server.listen(0)
    await once(server, 'listening')
    port = (server.address() as { port: number }).port
  })
  group.teardown(() => void server.close())
  group.each.setup(() => void (posted = undefined))

  async function requestOf(name = 'Grafana') {
    const redirectUri = `http://127.0.0.1:${port}/callback`
    const app = await application({ name, kind: 'first_party', redirectUris: [redirectUri] })
    return { app, ...(await authorizationRequest(app, { ...FORM, redirect_uri: redirectUri })) }
  }

  test('its script posts the code, and the application leads on', async ({ assert }) => {
    const user = await createUser()
    const { app, url, checks } = await requestOf()
    const page = await visit()
    await page.goto(url.href)
    await typeCredentials(page, user.email)
    await page.waitForURL(`http://localhost:${port}/home`)
    assert.equal(posted!.origin, url.origin)
    const answered = new Request(`http://127.0.0.1:${port}/callback`, {
      method: 'POST',
      body: posted!.body,
    })
    const tokens = await oidc.authorizationCodeGrant(app.config, answered, checks)
    assert.equal(tokens.claims()!.sub, user.id)
  })

  test('its button posts the code without scripts', async ({ assert }) => {
    const { url } = await requestOf()
    const { page } = await visitAs(await createUser(), { javaScriptEnabled: false })
    await page.goto(url.pathname + url.search)
    await page.getByRole('button', { name: 'Continue' }).click()
    await page.waitForURL(`http://localhost:${port}/home`)
    assert.isTrue(posted!.body.has('code'))
  })

  test('its page is accessible: {colorScheme} {locale}')
    .with([...SCREENS])
    .run(async ({ assert }, screen) => {
      const { url } = await requestOf(HOSTILE)
      const { page } = await visitAs(await createUser(), screen)
      await page.route(`**${assetPath('form_post.js')}`, (route) => route.abort())
      await page.goto(url.pathname + url.search)
      await page.locator('#answer button').waitFor()
      await assertAccessible(page, assert)
    })
})
