import { createServer, type Server } from 'node:http'
import { test } from '@japa/runner'
import { findBrowser, launchBrowser } from '#tests/support/browser'
import { freePort } from '#tests/support/free_port'
import { PASSWORD, someEmail } from '#tests/support/fixtures'
import { IdentityProduct } from './identity_product.ts'
import { authorization, NeighbourApplication } from './neighbour_application.ts'
import { newDataDir, Product } from './product.ts'

test.group('Cookies', (group) => {
  let product: Product
  let credentials: { email: string; username: string; password: string }
  group.setup(async () => {
    const github = { GITHUB_CLIENT_ID: 'gatehouse', GITHUB_CLIENT_SECRET: 'secret' }
    product = await Product.start({ AUTH_COOKIES: 'on', LOGIN_THROTTLE_LIMIT: '0', ...github })
    credentials = { email: someEmail(), username: 'ada', password: PASSWORD }
    await product.ask('/auth/register', { body: credentials })
  })
  group.teardown(() => product.remove())

  async function loggedIn() {
    const { response } = await product.ask('/auth/login', { body: credentials })
    const cookies = response.headers.getSetCookie()
    const cookie = cookies.map((each) => each.split(';')[0]).join('; ')
    return { cookies, cookie }
  }

  test('come with a login, out of the reach of scripts', async ({ assert }) => {
    const { cookies } = await loggedIn()
    assert.lengthOf(cookies, 3)
    for (const [index, name] of ['access', 'refresh'].entries()) {
      assert.match(cookies[index], new RegExp(`^gatehouse_${name}=ey`))
      assert.match(cookies[index], /HttpOnly/)
      assert.match(cookies[index], /SameSite=Strict/)
      assert.match(cookies[index], /Path=\//)
      assert.notMatch(cookies[index], /Secure/)
    }
  })

  test('make the device known after strangers locked', async ({ assert }) => {
    const account = { ...credentials, email: someEmail() }
    await product.ask('/auth/register', { body: account })
    const first = await product.ask('/auth/login', { body: account })
    const [device] = first.response.headers
      .getSetCookie()
      .filter((each) => /^gatehouse_device/.test(each))
    const wrong = { ...account, password: 'Wrong-h0rse!' }
    for (let count = 0; count < 5; count++) await product.ask('/auth/login', { body: wrong })
    const known = { cookie: device.split(';')[0] }
    const owner = await product.ask('/auth/login', { body: account, headers: known })
    const stranger = await product.ask('/auth/login', { body: account })
    assert.match(
      device,
      /^gatehouse_device=ey.*; Max-Age=15552000; Path=\/; HttpOnly; SameSite=Lax$/
    )
    assert.isNull(first.response.headers.get('x-device-token'))
    assert.equal(owner.status, 200)
    assert.equal(stranger.status, 403)
  })

  test('read without more, and change only from this origin', async ({ assert }) => {
    const { cookie } = await loggedIn()
    const profile = await product.ask('/auth/profile', { headers: { cookie } })
    assert.equal(profile.status, 200)
    const change = async (headers: Record<string, string>) => {
      const body = { nickname: 'Countess' }
      const method = 'PUT'
      const answer = await product.ask('/auth/profile', {
        method,
        body,
        headers: { cookie, ...headers },
      })
      return answer.status
    }
    assert.equal(await change({}), 403)
    assert.equal(await change({ 'sec-fetch-site': 'cross-site' }), 403)
    assert.equal(await change({ 'sec-fetch-site': 'same-site' }), 403)
    assert.equal(await change({ origin: 'https://evil.example' }), 403)
    assert.equal(await change({ origin: product.publicUrl }), 200)
    assert.equal(await change({ 'sec-fetch-site': 'same-origin' }), 200)
  })

  test('are replaced by no login that another site started', async ({ assert }) => {
    const locationFrom = async (site: string) => {
      const init = { headers: { 'sec-fetch-site': site }, redirect: 'manual' as const }
      const response = await fetch(`${product.url}/auth/external/github`, init)
      return response.headers.get('location')!
    }
    const asked = await locationFrom('cross-site')
    const page = await fetch(product.url + asked)
    assert.equal(asked, '/sign-in/external/github')
    assert.include(await page.text(), 'href="/auth/external/github')
    assert.match(await locationFrom('same-origin'), /^https:\/\/github\.com\//)
  })

  test('are described as a way to authenticate', async ({ assert }) => {
    const { body } = await product.ask('/api-docs-json')
    const { get, put } = body.paths['/auth/profile']
    assert.equal(body.components.securitySchemes.cookie.name, 'gatehouse_access')
    assert.deepEqual(get.security, [{ bearer: [] }, { cookie: [] }, { apiKey: [] }])
    assert.property(put.responses[403].content['application/json'].examples, 'E_CROSS_SITE')
  })

  test('get no list compressed, as a Bearer header does', async ({ assert }) => {
    for (let count = 1; count <= 5; count++) await loggedIn()
    const { body } = await product.ask('/auth/login', { body: credentials })
    const { cookie } = await loggedIn()
    const encodingFor = async (headers: Record<string, string>) => {
      const { response } = await product.ask('/auth/sessions', { headers })
      return response.headers.get('content-encoding')
    }
    assert.isNull(await encodingFor({ cookie }))
    assert.equal(await encodingFor({ authorization: `Bearer ${body.accessToken}` }), 'gzip')
  })

  test('lose against a Bearer header', async ({ assert }) => {
    const { cookie } = await loggedIn()
    const headers = { cookie, authorization: 'Bearer garbage' }
    const profile = await product.ask('/auth/profile', { headers })
    assert.equal(profile.status, 401)
  })

  test('serve beside a password of a proxy', async ({ assert }) => {
    const { cookie } = await loggedIn()
    const headers = { cookie, authorization: `Basic ${btoa('proxy:secret')}` }
    const profile = await product.ask('/auth/profile', { headers })
    const sessions = await product.ask('/auth/sessions', { headers })
    assert.equal(profile.status, 200)
    assert.isNull(sessions.response.headers.get('content-encoding'))
  })

  test('refresh without a body and go with the logout', async ({ assert }) => {
    const { cookie } = await loggedIn()
    const headers = { cookie, 'sec-fetch-site': 'same-origin' }
    const refreshed = await product.ask('/auth/refresh', { method: 'POST', headers })
    assert.equal(refreshed.status, 200)
    assert.match(refreshed.response.headers.getSetCookie()[0], /^gatehouse_access=ey/)
    const foreign = await product.ask('/auth/refresh', { method: 'POST', headers: { cookie } })
    assert.equal(foreign.status, 403)
    const logout = await product.ask('/auth/logout', { method: 'POST', headers })
    const cleared = logout.response.headers.getSetCookie()
    assert.lengthOf(cleared, 2)
    for (const each of cleared) assert.match(each, /Max-Age=(-1|0)|Expires=Thu, 01 Jan 1970/)
    const after = await product.ask('/auth/profile', { headers })
    assert.equal(after.status, 401)
  })

  test('are prefixed and Secure behind https', async ({ assert, cleanup }) => {
    const behind = await Product.start({
      AUTH_COOKIES: 'on',
      APP_URL: 'https://auth.example.org',
    })
    cleanup(() => behind.remove())
    await behind.ask('/auth/register', { body: credentials })
    const { response } = await behind.ask('/auth/login', { body: credentials })
    for (const cookie of response.headers.getSetCookie()) {
      assert.match(cookie, /^__Host-gatehouse_(access|refresh|device)=/)
      assert.match(cookie, /; Secure/)
    }
    const page = await fetch(`${behind.url}/sign-in`)
    for (const cookie of page.headers.getSetCookie()) {
      assert.match(cookie, /^__Host-gatehouse_page_.*; Path=\/; .*Secure/)
    }
  })

  test('of one interaction have a path and another prefix', async ({ assert, cleanup }) => {
    const APP_URL = 'https://auth.example.org'
    const service = await IdentityProduct.start({ APP_URL })
    cleanup(() => service.remove())
    const redirectUri = 'https://app.example.org/callback'
    const { clientId } = await service.register({ redirectUris: [redirectUri] })
    const request = authorization(service.product.url, { clientId, redirectUri })
    /** A new sign-in is requested, and stored until it is completed. */
    const { headers } = await fetch(`${request.url}&prompt=login`, { redirect: 'manual' })
    const sent = headers.getSetCookie().sort()
    const cookies = sent.filter((cookie) => cookie.startsWith('__Secure-'))
    assert.lengthOf(cookies, 2)
    assert.match(
      cookies[0],
      /^__Secure-gatehouse_interaction=.*; path=\/oauth\/interaction\/.*secure/
    )
    assert.match(cookies[1], /^__Secure-gatehouse_resume=.*; path=\/oauth\/authorize\/.*secure/)
  })

  test('do not travel in clear to another machine', async ({ assert }) => {
    const settings = { AUTH_COOKIES: 'on', APP_URL: 'http://auth.example.org' }
    const refused = await Product.spawn(settings, newDataDir())
    assert.equal(await refused.exits(), 1)
    assert.match(refused.output.join(''), /AUTH_COOKIES/)
    await refused.remove()
  })
})

test.group('Cookies | in a browser', (group) => {
  let product: Product
  let evil: Server
  let evilUrl: string
  group.setup(async () => {
    findBrowser()
    product = await Product.start({ AUTH_COOKIES: 'on' })
    const port = await freePort()
    evilUrl = `http://localhost:${port}`
    evil = createServer((_, response) => {
      response.setHeader('content-type', 'text/html')
      const action = `${product.url}/auth/logout-all`
      response.end(`<form method="post" action="${action}"><button>win a prize</button></form>`)
    })
    await new Promise<void>((resolve) => evil.listen(port, '127.0.0.1', () => resolve()))
  })
  group.teardown(async () => {
    evil.close()
    await product.remove()
  })

  test('serve a page of this origin and no form of another', async ({ assert }) => {
    const browser = await launchBrowser()
    const page = await browser.newPage({ bypassCSP: true })
    await page.goto(`${product.url}/health`)
    const credentials = { email: someEmail(), username: 'ada', password: PASSWORD }
    const call = (path: string, body?: object) =>
      page.evaluate(
        async ([target, given]) => {
          const headers = { 'content-type': 'application/json' }
          const init = given ? { method: 'POST', headers, body: JSON.stringify(given) } : {}
          const response = await fetch(target as string, init)
          return response.status
        },
        [path, body] as const
      )
    assert.equal(await call('/auth/register', credentials), 201)
    assert.equal(await call('/auth/login', credentials), 200)
    assert.equal(await call('/auth/profile'), 200)
    assert.equal(await page.evaluate('document.cookie'), '')

    await page.goto(evilUrl)
    await page.getByRole('button').click()
    await page.waitForURL(/logout-all/)
    await page.goto(`${product.url}/health`)
    assert.equal(await call('/auth/profile'), 200)
    assert.equal(await call('/auth/logout-all', {}), 200)
    assert.equal(await call('/auth/profile'), 401)
    await browser.close()
  })
})

test.group('Cookies | of another application on this host', (group) => {
  let service: IdentityProduct
  let application: NeighbourApplication
  group.setup(async () => {
    findBrowser()
    service = await IdentityProduct.start()
    application = await NeighbourApplication.start(service)
  })
  group.teardown(async () => {
    await application.stop()
    await service.remove()
  })

  test('keep its state, and both stay signed in', async ({ assert }) => {
    const { email } = await service.newUser()
    const browser = await launchBrowser()
    const page = await browser.newPage()
    await page.goto(`${application.url}/login`)
    await page.getByLabel('E-mail').fill(email)
    await page.getByLabel('Password').fill(PASSWORD)
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    await page.waitForURL(`${application.url}/`)
    assert.equal(await page.textContent('body'), `Signed in as ${email}`)
    await page.goto(`${service.issuer}/account`)
    assert.include(await page.textContent('main'), email)
    await page.goto(application.url)
    assert.equal(await page.textContent('body'), `Signed in as ${email}`)
    const cookies = await page.context().cookies()
    const names = cookies.map(({ name }) => name)
    assert.includeMembers(names, ['session', 'gatehouse_session'])
    await browser.close()
  })
})
