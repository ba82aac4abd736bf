import * as oidc from 'openid-client'
import { DEVICE_GRANT } from '#oidc/clients/client'
import { Browser, pushedRequest } from '#tests/support/oidc'
import { allowAt, codeOf, errorOf, SIGN_IN } from '#tests/process/application'
import { PASSWORD } from '#tests/support/users'
import type { Application } from './applications.ts'

/* The ways to sign in to an application. Each ends with a function that redeems the code. */

const SCOPE = 'openid email offline_access'
const ASKING = { scope: SCOPE, prompt: 'consent' }
const DEVICE = /^\/oauth\/device$/
const ANSWER = /^\/oauth\/device\/answer$/

interface User {
  email: string
}

async function byCode(app: Application, user: User) {
  const { answer, checks, browser } = await codeOf(app, user, ASKING)
  return { browser, redeem: () => oidc.authorizationCodeGrant(app.config, answer.url, checks) }
}

async function byPushedRequest(app: Application, user: User) {
  const { url, verifier } = await pushedRequest(app, ASKING)
  const { answer, browser } = await allowAt(url, user)
  const checks = { pkceCodeVerifier: verifier }
  return { browser, redeem: () => oidc.authorizationCodeGrant(app.config, answer.url, checks) }
}

async function byDevice({ config }: Application, { email }: User) {
  const started = await oidc.initiateDeviceAuthorization(config, { scope: SCOPE })
  const body = { device_code: started.device_code }
  const redeem = () => oidc.genericGrantRequest(config, DEVICE_GRANT, body)
  const early = await errorOf(redeem())
  if (early !== 'authorization_pending') throw new Error(`an early device got ${early}`)
  const browser = new Browser()
  const page = await browser.open(started.verification_uri_complete!)
  const form = await browser.submit(page, SIGN_IN, { email, password: PASSWORD })
  const consent = await browser.submit(form, DEVICE, { user_code: started.user_code })
  await browser.submit(consent, ANSWER, { decision: 'allow' })
  return { browser: null, redeem }
}

export const SIGN_INS = [byCode, byPushedRequest, byDevice]
