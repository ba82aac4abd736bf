import { test } from '@japa/runner'
import * as oidc from 'openid-client'
import { DEVICE_GRANT } from '#oidc/clients/client'
import { PASSWORD } from '#tests/support/users'
import { authorizationRequest, Browser, REDIRECT, type Page } from '#tests/support/oidc'
import {
  ADMIN,
  BACKENDS,
  errorOf,
  INTERACTION,
  register,
  SIGN_IN,
  useProxy,
  WITH_ADMIN,
} from './application.ts'
import { signIn, type Backend } from './backend.ts'
import { newDataDirFor, Product } from './product.ts'

/** Starts a product that is killed and started again after each step. */
async function mortal(backend: Backend | null) {
  const settings: Record<string, string> = { ...backend?.settings, ...WITH_ADMIN }
  const dataDir = newDataDirFor(settings)
  let product = await Product.start(settings, dataDir)
  const restart = async <Result>(result: Result) => {
    await product.stop('SIGKILL')
    product = await Product.start(settings, dataDir)
    return result
  }
  const grantTypes = ['authorization_code', 'refresh_token', DEVICE_GRANT]
  const { token } = await signIn(product, ADMIN)
  const restore = useProxy(() => product.url)
  const app = await restart(await register(product, token, { grantTypes }))
  return { app, restart, restore, remove: () => product.remove() }
}

const CREDENTIALS = { email: ADMIN.email, password: PASSWORD }
const DEVICE = /^\/oauth\/device$/
const ANSWER = /^\/oauth\/device\/answer$/

for (const name of ['SQLite', 'Postgres and Redis']) {
  test.group(`Restart | OpenID provider on ${name}`, (group) => {
    let backend: Backend | null
    let { app, restart, restore, remove } = {} as Awaited<ReturnType<typeof mortal>>

    group.setup(async () => {
      backend = await BACKENDS[name]()
      const started = await mortal(backend)
      app = started.app
      restart = started.restart
      restore = started.restore
      remove = started.remove
    })
    group.teardown(async () => {
      restore()
      await remove()
      await backend?.remove()
    })

    async function signInAt(browser: Browser, page: Page) {
      return restart(await browser.submit(page, SIGN_IN, CREDENTIALS))
    }

    async function userInfo(token: string) {
      const info = await oidc.fetchUserInfo(app.config, token, oidc.skipSubjectCheck)
      return info.sub
    }

    test('a code flow goes on after each kill', async ({ assert }) => {
      const browser = new Browser()
      const parameters = { scope: 'openid offline_access', prompt: 'consent' }
      const { url, checks } = await authorizationRequest(app, parameters)
      const page = await restart(await browser.open(url))
      const consent = await signInAt(browser, page)
      const answered = await browser.submit(consent, INTERACTION, { decision: 'allow' })
      const answer = await restart(answered)
      const granted = oidc.authorizationCodeGrant(app.config, answer.url, checks)
      const tokens = await restart(await granted)
      const refreshed = oidc.refreshTokenGrant(app.config, tokens.refresh_token!)
      const renewed = await restart(await refreshed)
      assert.equal(await userInfo(renewed.access_token), tokens.claims()!.sub)
      const again = oidc.authorizationCodeGrant(app.config, answer.url, checks)
      assert.equal(await errorOf(again), 'invalid_grant')
    })

    test('a pushed request goes on after each kill', async ({ assert }) => {
      const [browser, verifier] = [new Browser(), oidc.randomPKCECodeVerifier()]
      const pushed = await oidc.buildAuthorizationUrlWithPAR(app.config, {
        redirect_uri: REDIRECT,
        scope: 'openid',
        prompt: 'consent',
        code_challenge: await oidc.calculatePKCECodeChallenge(verifier),
        code_challenge_method: 'S256',
      })
      const url = await restart(pushed)
      const page = await restart(await browser.open(url))
      const consent = await signInAt(browser, page)
      const answered = await browser.submit(consent, INTERACTION, { decision: 'allow' })
      const answer = await restart(answered)
      const checks = { pkceCodeVerifier: verifier }
      const tokens = await oidc.authorizationCodeGrant(app.config, answer.url, checks)
      assert.equal(await userInfo(tokens.access_token), tokens.claims()!.sub)
    })

    test('a device flow goes on after each kill', async ({ assert }) => {
      const browser = new Browser()
      const initiated = oidc.initiateDeviceAuthorization(app.config, { scope: 'openid' })
      const started = await restart(await initiated)
      const page = await restart(await browser.open(started.verification_uri_complete!))
      const form = await signInAt(browser, page)
      const typed = await browser.submit(form, DEVICE, { user_code: started.user_code })
      const consent = await restart(typed)
      await restart(await browser.submit(consent, ANSWER, { decision: 'allow' }))
      const body = { device_code: started.device_code }
      const tokens = await restart(await oidc.genericGrantRequest(app.config, DEVICE_GRANT, body))
      assert.equal(await userInfo(tokens.access_token), tokens.claims()!.sub)
      const again = oidc.genericGrantRequest(app.config, DEVICE_GRANT, body)
      assert.equal(await errorOf(again), 'invalid_grant')
    })
  })
}
