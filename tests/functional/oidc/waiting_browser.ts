import * as oidc from 'openid-client'
import { DEVICE_GRANT } from '#oidc/clients/client'
import { createUser } from '#tests/support/fixtures'
import {
  application,
  authorizationRequest,
  browserOf,
  type Application,
  type Browser,
  type Page,
} from '#tests/support/oidc'
import type { NewClient } from '#oidc/clients/client_fields'
import type User from '#models/user'

/* A browser in which a sign-in to an application waits for a verified address. */

const WAITING = /^\/oauth\/interaction\/[\w-]+/

export const CODE = /^\/oauth\/interaction\/[\w-]+\/address$/
export const RESEND = /\/address\/resend$/
export const CHANGE = /\/address\/change$/
export const LEAVE = /^\/oauth\/interaction\/[\w-]+$/

export async function waitingBrowser(given: { user?: User; app?: Application } = {}) {
  const user = given.user ?? (await createUser({ isVerified: false }))
  const app = given.app ?? (await application({ kind: 'first_party' }))
  const browser = await browserOf(user)
  const request = await authorizationRequest(app)
  const page = await browser.open(request.url)
  return { user, app, browser, page, ...request }
}

const DEVICE = /^\/oauth\/device$/

/** Returns the same for a device whose code was typed. */
export async function waitingDevice(
  given: { user?: User; settings?: Partial<NewClient>; asked?: Record<string, string> } = {}
) {
  const user = given.user ?? (await createUser({ isVerified: false }))
  const device: Partial<NewClient> = { redirectUris: [], grantTypes: [DEVICE_GRANT] }
  const app = await application({ ...device, ...given.settings })
  const asked = { scope: 'openid email', ...given.asked }
  const started = await oidc.initiateDeviceAuthorization(app.config, asked)
  const browser = await browserOf(user)
  const form = await browser.open(started.verification_uri)
  const page = await browser.submit(form, DEVICE, { user_code: started.user_code })
  const body = { device_code: started.device_code }
  const poll = () => oidc.genericGrantRequest(app.config, DEVICE_GRANT, body)
  return { user, browser, page, poll }
}

export function typeCode(browser: Browser, page: Page, code: string) {
  return browser.submit(page, CODE, { code })
}

/** Returns what the browser shows: the waiting page, the application's code, or another page. */
export function outcomeOf({ url, response }: Page) {
  if (url.searchParams.has('code')) return 'signed in'
  const error = url.searchParams.get('error')
  if (error) return error
  return WAITING.test(url.pathname) ? `waits ${response.status}` : url.pathname
}
