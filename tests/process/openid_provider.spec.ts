import { test } from '@japa/runner'
import * as oidc from 'openid-client'
import settings from '#config/oidc'
import { PASSWORD } from '#tests/users'
import { authorizationRequest, Browser, configure, proxy, REDIRECT } from '#tests/oidc'
import { Backend, newcomer, signIn } from './backend.ts'
import { newDataDir, Product } from './product.ts'
import type { Page } from '#tests/oidc'

const APP_URL = settings.issuer
const UNLIMITED = { LOGIN_IP_LIMIT: '0', REGISTER_IP_LIMIT: '0', LOGIN_THROTTLE_LIMIT: '0' }

/** The tests of this file go through another proxy than those within the process. */
function useProxy(next: () => string) {
  const before = proxy.next
  proxy.next = next
  return () => void (proxy.next = before)
}

async function register(product: Product, token: string) {
  const body = { name: 'Grafana', redirectUris: [REDIRECT] }
  const response = await product.request('/oauth-clients', { body, token })
  if (response.status !== 201) throw new Error(JSON.stringify(response.body))
  const { clientId, clientSecret } = response.body
  return { config: await configure(clientId, clientSecret) }
}

const SIGN_IN = /^\/sign-in$/
const INTERACTION = /^\/oauth\/interaction\//

test.group('Two processes | OpenID provider', (group) => {
  let backend: Backend
  let products: Product[]
  let app: Awaited<ReturnType<typeof register>>
  let restore: () => void

  group.setup(async () => {
    backend = await Backend.withRedis()
    const shared = { ...backend.settings, APP_URL }
    products = await Promise.all([1, 2].map(() => Product.spawn(shared)))
    await Promise.all(products.map((product) => product.answers('/health/ready')))
    let turn = 0
    restore = useProxy(() => products[turn++ % 2].url)
    const admin = await newcomer(products[0])
    await backend.query(`UPDATE users SET role = 'Admin' WHERE id = '${admin.id}'`)
    const { token } = await signIn(products[0], admin)
    app = await register(products[0], token)
  })
  group.teardown(async () => {
    restore()
    for (const product of products) await product.remove()
    await backend.remove()
  })

  async function codeOf(user: { email: string }) {
    const browser = new Browser()
    const { url, checks } = await authorizationRequest(app)
    const page = await browser.open(url)
    const consent = await browser.submit(page, SIGN_IN, { email: user.email, password: PASSWORD })
    const answer = await browser.submit(consent, INTERACTION, { decision: 'allow' })
    return { answer, checks }
  }

  test('each request may meet another process', async ({ assert }) => {
    const user = await newcomer(products[0])
    const { answer, checks } = await codeOf(user)
    const tokens = await oidc.authorizationCodeGrant(app.config, answer.url, checks)
    for (let count = 0; count < 4; count++) {
      const info = await oidc.fetchUserInfo(app.config, tokens.access_token, user.id)
      assert.equal(info.email, user.email)
    }
  })

  test('of twenty redemptions at once one succeeds', async ({ assert }) => {
    const { answer, checks } = await codeOf(await newcomer(products[0]))
    const redeem = () => oidc.authorizationCodeGrant(app.config, answer.url, checks)
    const results = await Promise.allSettled(Array.from({ length: 20 }, redeem))
    assert.lengthOf(
      results.filter(({ status }) => status === 'fulfilled'),
      1
    )
  })

  test('an ended session is refused by both at the next request', async ({ assert }) => {
    const user = await newcomer(products[0])
    const { answer, checks } = await codeOf(user)
    const tokens = await oidc.authorizationCodeGrant(app.config, answer.url, checks)
    const sid = tokens.claims()!.sid as string
    const { token } = await signIn(products[0], user)
    await products[0].request(`/auth/sessions/${sid}`, { method: 'DELETE', token })
    for (let count = 0; count < 2; count++) {
      const info = oidc.fetchUserInfo(app.config, tokens.access_token, user.id)
      await assert.rejects(() => info)
    }
  })
})

test.group('Restart | OpenID provider', () => {
  test('the process may be killed between any two steps', async ({ assert, cleanup }) => {
    const dataDir = newDataDir()
    const admin = { ADMIN_EMAIL: 'ada@example.org', ADMIN_PASSWORD: PASSWORD }
    const shared = { APP_URL, ...UNLIMITED, ...admin }
    let product = await Product.start(shared, dataDir)
    cleanup(useProxy(() => product.url))
    cleanup(() => product.remove())
    const restart = async <Result>(result: Result) => {
      await product.stop('SIGKILL')
      product = await Product.start(shared, dataDir)
      return result
    }
    const { token } = await signIn(product, { email: admin.ADMIN_EMAIL })
    const app = await restart(await register(product, token))
    const browser = new Browser()
    const scope = 'openid offline_access'
    const { url, checks } = await authorizationRequest(app, { scope, prompt: 'consent' })
    const page = await restart(await browser.open(url))
    const credentials = { email: admin.ADMIN_EMAIL, password: PASSWORD }
    const consent: Page = await restart(await browser.submit(page, SIGN_IN, credentials))
    const answer = await restart(await browser.submit(consent, INTERACTION, { decision: 'allow' }))
    const granted = oidc.authorizationCodeGrant(app.config, answer.url, checks)
    const tokens = await restart(await granted)
    const refreshed = oidc.refreshTokenGrant(app.config, tokens.refresh_token!)
    const renewed = await restart(await refreshed)
    const { sub } = tokens.claims()!
    const info = await oidc.fetchUserInfo(app.config, renewed.access_token, sub)
    assert.equal(info.sub, sub)
  })
})
