import * as oidc from 'openid-client'
import env from '#start/env'
import settings from '#config/oidc'
import { SYSTEM } from '#audit/actor'
import { DEVICE_GRANT } from '#oidc/clients/client'
import { giveConsent } from '#oidc/consents/consents'
import { mailedCode } from '#tests/support/address_codes'
import { bearer, PASSWORD } from '#tests/support/fixtures'
import {
  application,
  type Application,
  authorizationRequest,
  Browser,
  browserOf,
  type Page,
  pushedRequest,
  REDIRECT,
  shownPath,
} from '#tests/support/oidc'
import { typeCode } from '../oidc/waiting_browser.ts'
import { giveSecondFactor, outcomeOf } from './sign_in_methods.ts'
import type { NewClient } from '#oidc/clients/client_fields'
import type { ApiClient } from '@japa/api-client'
import type User from '#models/user'

/* What an application and its person do in steps, each prepared first and completed later. */

const SIGN_IN = /^\/sign-in$/
const CONFIRM = /^\/confirm$/
const INTERACTION = /^\/oauth\/interaction\//
const DEVICE = /^\/oauth\/device$/
const ANSWER = /^\/oauth\/device\/answer$/

/** Allowed before, so that only `prompt=consent` asks people again. */
export const SCOPE = 'openid email offline_access'
const ASKING = { scope: SCOPE, prompt: 'consent' }

export interface Scene {
  client: ApiClient
  user: User
  app: Application
}

/** What libraries send and expect: the strongest and the weakest options. */
export const LIBRARIES = {
  'PKCE and ES256': { requirePkce: true, idTokenAlgorithm: 'ES256' },
  'no PKCE and RS256': { requirePkce: false, idTokenAlgorithm: 'RS256' },
} as const

type Library = Partial<NewClient> & { requirePkce: boolean }

/** Makes a user who has allowed a third party all that these steps request. */
export async function sceneOf(
  client: ApiClient,
  user: User,
  library: Library = LIBRARIES['PKCE and ES256']
): Promise<Scene> {
  const grantTypes = ['authorization_code', 'refresh_token', DEVICE_GRANT] as const
  const registered = await application({ grantTypes: [...grantTypes], ...library })
  const app = { ...registered, lacksPkce: !library.requirePkce }
  const consent = { userId: user.id, clientId: app.client.clientId }
  const request = { scopes: SCOPE.split(' '), resources: [settings.issuer, OF_OTHERS.resource] }
  await giveConsent(consent, request, SYSTEM)
  return { client, user, app }
}

type GoOn = () => Promise<string>
type Step = (scene: Scene) => Promise<GoOn>

/** Returns where a browser ends: at the application with a code or an error, or on our page. */
function landing(page: Page) {
  const { url, response } = page
  if (url.origin === new URL(REDIRECT).origin) {
    return url.searchParams.has('code') ? 'code' : url.searchParams.get('error')!
  }
  return `${response.status} ${shownPath(page).replace(/(interaction)\/.+/, '$1')}`
}

/** Returns `good`, or the OAuth error of a request of the application. */
export async function answer(request: Promise<unknown>) {
  return request.then(
    () => 'good',
    (error) => error.error ?? error.cause?.[0]?.parameters?.error ?? String(error)
  )
}

const signingIn: Step = async ({ user, app }) => {
  const browser = new Browser()
  const { url } = await authorizationRequest(app, { scope: 'openid' })
  const page = await browser.open(url)
  const credentials = { email: user.email, password: PASSWORD }
  return async () => landing(await browser.submit(page, SIGN_IN, credentials))
}

const secondFactor: Step = async ({ user, app }) => {
  const code = await giveSecondFactor(user)
  const browser = await browserOf(user)
  const acr = { scope: 'openid', acr_values: 'urn:gatehouse:acr:mfa' }
  const { url } = await authorizationRequest(app, acr)
  const page = await browser.open(url)
  return async () => landing(await browser.submit(page, CONFIRM, { password: PASSWORD, code }))
}

/** Opens the consent page in a signed-in browser, and returns how to answer it. */
async function asked({ user, app }: Scene, parameters: Record<string, string> = {}) {
  const browser = await browserOf(user)
  const { url, checks } = await authorizationRequest(app, { ...ASKING, ...parameters })
  const page = await browser.open(url)
  const allow = async () => {
    const landed = await browser.submit(page, INTERACTION, { decision: 'allow' })
    return { ...landed, browser }
  }
  return { allow, checks }
}

const consent: Step = async (scene) => {
  const { allow } = await asked(scene)
  return async () => landing(await allow())
}

/** Opens the choice of an account in a signed-in browser, and chooses this user. */
const choice: Step = async ({ user, app }) => {
  const browser = await browserOf(user)
  const asking = { scope: 'openid', prompt: 'select_account' }
  const { url } = await authorizationRequest(app, asking)
  const page = await browser.open(url)
  return async () => landing(await browser.submit(page, INTERACTION, { decision: 'allow' }))
}

/** Requests a claim of a scope that was never allowed. */
const claim: Step = async (scene) => {
  const claims = JSON.stringify({ userinfo: { name: null } })
  const { allow } = await asked(scene, { scope: 'openid', claims })
  return async () => landing(await allow())
}

/** A browser waits for the code of an address. The installation does not bar unverified users. */
const addressCode: Step = async ({ user, app }) => {
  env.set('REQUIRE_VERIFIED_EMAIL', false)
  await user.merge({ emailVerifiedAt: null }).save()
  const browser = await browserOf(user)
  const { url } = await authorizationRequest(app, { scope: 'openid email' })
  const page = await browser.open(url)
  const { code: mailed } = await mailedCode(user.email)
  return async () => landing(await typeCode(browser, page, mailed))
}

const signedInBefore: Step = async ({ user, app }) => {
  const browser = await browserOf(user)
  const { url } = await authorizationRequest(app, { scope: 'openid' })
  return async () => landing(await browser.open(url))
}

const pushedBefore: Step = async ({ user, app }) => {
  const browser = await browserOf(user)
  const { url } = await pushedRequest(app)
  return async () => landing(await browser.open(url))
}

/** Returns how to redeem the code of a consent. */
async function issued(scene: Scene, parameters: Record<string, string> = {}) {
  const { allow, checks } = await asked(scene, parameters)
  const { url } = await allow()
  return () => oidc.authorizationCodeGrant(scene.app.config, url, checks)
}

async function tokens(scene: Scene, parameters: Record<string, string> = {}) {
  const redeem = await issued(scene, parameters)
  return redeem()
}

const code: Step = async (scene) => {
  const redeem = await issued(scene)
  return () => answer(redeem())
}

const refresh: Step = async (scene) => {
  const { refresh_token: token } = await tokens(scene)
  return () => answer(oidc.refreshTokenGrant(scene.app.config, token!))
}

const userInfo: Step = async (scene) => {
  const { access_token: token } = await tokens(scene)
  const { config } = scene.app
  return () => answer(oidc.fetchUserInfo(config, token, oidc.skipSubjectCheck))
}

/** Signs out with a third party's ID token. The page asks whether to sign out of the rest. */
const logout: Step = async (scene) => {
  const { allow, checks } = await asked(scene)
  const { url, browser } = await allow()
  const { id_token: hint } = await oidc.authorizationCodeGrant(scene.app.config, url, checks)
  const query = new URLSearchParams({ id_token_hint: hint! })
  return async () => landing(await browser.open(`${settings.issuer}/oauth/logout?${query}`))
}

const OF_API = { resource: settings.issuer }
export const OF_OTHERS = { resource: 'https://mcp.example.org' }

const api: Step = async (scene) => {
  const { access_token: token } = await tokens(scene, OF_API)
  return async () => outcomeOf(await scene.client.get('/auth/profile').headers(bearer(token)))
}

function introspected(parameters: Record<string, string>): Step {
  return async (scene) => {
    const { access_token: token } = await tokens(scene, parameters)
    const { clientId } = scene.app.client
    return async () => {
      const response = await scene.client
        .post('/oauth/introspect')
        .basicAuth(clientId, scene.app.clientSecret!)
        .form({ token })
      return response.status() === 200
        ? `active: ${response.body().active}`
        : String(response.status())
    }
  }
}

async function deviceOf({ app }: Scene) {
  const started = await oidc.initiateDeviceAuthorization(app.config, { scope: SCOPE })
  const body = { device_code: started.device_code }
  const poll = () => answer(oidc.genericGrantRequest(app.config, DEVICE_GRANT, body))
  return { started, poll }
}

const deviceSignIn: Step = async (scene) => {
  const { started } = await deviceOf(scene)
  const browser = new Browser()
  const page = await browser.open(started.verification_uri_complete!)
  const credentials = { email: scene.user.email, password: PASSWORD }
  return async () => landing(await browser.submit(page, SIGN_IN, credentials))
}

/** Returns a device whose code was typed, and its consent page. */
async function typed(scene: Scene) {
  const { started, poll } = await deviceOf(scene)
  const browser = await browserOf(scene.user)
  const form = await browser.open(started.verification_uri)
  const page = await browser.submit(form, DEVICE, { user_code: started.user_code })
  return { allow: () => browser.submit(page, ANSWER, { decision: 'allow' }), poll }
}

const deviceConsent: Step = async (scene) => {
  const { allow, poll } = await typed(scene)
  return async () => {
    const page = await allow()
    return `${page.response.status}, ${await poll()}`
  }
}

const devicePoll: Step = async (scene) => {
  const { allow, poll } = await typed(scene)
  await allow()
  return poll
}

export const STEPS = {
  'the sign-in': signingIn,
  'the second factor': secondFactor,
  'the choice of an account': choice,
  'the consent': consent,
  'the consent to a claim': claim,
  'the code of an address': addressCode,
  'another authorization': signedInBefore,
  'a pushed request': pushedBefore,
  'the code': code,
  'the refresh': refresh,
  'userinfo': userInfo,
  'the logout': logout,
  'the API': api,
  'introspection': introspected({}),
  'introspection of an API token': introspected(OF_API),
  'introspection of a token for others': introspected(OF_OTHERS),
  'the sign-in for a device': deviceSignIn,
  'the consent for a device': deviceConsent,
  'the poll of a device': devicePoll,
} satisfies Record<string, Step>
