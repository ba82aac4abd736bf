import { freezeTime } from '@japa/runner'
import * as oidc from 'openid-client'
import { generate } from 'otplib'
import settings from '#config/oidc'
import type { ApiClient, ApiResponse } from '@japa/api-client'
import Identity from '#models/identity'
import type User from '#models/user'
import { encryptSecret, newSecret } from '#auth/mfa/totp'
import { issueExternalCode } from '#auth/external/exchange_code'
import { PASSWORD, bearer, keyOf, login, signedIn, someAddress } from '#tests/support/fixtures'
import { application, browserOf, tokensOf } from '#tests/support/oidc'
import { givePasskey, loginOptions, passkeyLogin } from '#tests/support/passkeys'
import { CookieClient } from '@adonisjs/core/http'
import encryption from '@adonisjs/core/services/encryption'
import type { SignInMethod } from '#auth/methods/sign_in_method'
import { SYSTEM } from '#audit/actor'
import { updateUser } from '#users/update_user'
import { mailedCode } from '#tests/support/address_codes'
import { outcomeOf as landingOf, typeCode, waitingBrowser } from '../oidc/waiting_browser.ts'
import { TestBrowser } from '../external/browser.ts'

/** Returns the status of an API response, followed by the code if it is an error. */
export function outcomeOf(response: ApiResponse) {
  const { code } = response.body() ?? {}
  return code ? `${response.status()} ${code}` : String(response.status())
}

/**
 * Sets up a second factor, and returns its current code. Stops the clock a moment after the user
 * was created, because the next password must have another time.
 */
export async function giveSecondFactor(user: User) {
  freezeTime(new Date(Date.now() + 1))
  const { secret } = newSecret(user.email)
  await user.merge({ mfaEnabled: true, mfaSecret: encryptSecret(user.id, secret) }).save()
  return generate({ secret })
}

type Enter = () => Promise<string>

/**
 * A sign-in method. Prepares the sign-in before the user's state changes, and returns the request
 * that follows, which resolves with its outcome.
 */
type SignInCase = (client: ApiClient, user: User) => Promise<Enter>

const password: SignInCase = async (client, { email }) => {
  return async () => outcomeOf(await login(client, { email }))
}

const code: SignInCase = async (client, user) => {
  const right = await giveSecondFactor(user)
  const challenge = await login(client, { email: user.email })
  const { mfaToken } = challenge.body()
  return async () => outcomeOf(await post(client, '/auth/mfa/verify', { mfaToken, code: right }))
}

const passkey: SignInCase = async (client, user) => {
  const { authenticator } = await givePasskey(user)
  return async () => outcomeOf(await passkeyLogin(client, authenticator))
}

/** The challenge was answered before the state changed. */
const signedPasskey: SignInCase = async (client, user) => {
  const { authenticator } = await givePasskey(user)
  const response = authenticator.get(await loginOptions(client))
  return async () => outcomeOf(await post(client, '/auth/passkeys/login', { response }))
}

/** Uses a passkey as the second step of a login with a password. */
const passkeyStep: SignInCase = async (client, user) => {
  await giveSecondFactor(user)
  const { authenticator } = await givePasskey(user)
  const challenge = await login(client, { email: user.email })
  const { mfaToken } = challenge.body()
  const response = authenticator.get(await loginOptions(client))
  return async () =>
    outcomeOf(await post(client, '/auth/mfa/verify', { mfaToken, passkey: response }))
}

/** Returns the code of a login with an identity of the user. */
export async function externalCodeOf(user: User) {
  const row = { provider: 'acme', issuer: 'https://acme.example', subject: user.id, email: null }
  await Identity.updateOrCreate({ subject: user.id }, { ...row, userId: user.id })
  const about = {
    emailVerified: false,
    name: null,
    picture: null,
    authenticatedAt: null,
    isLinked: true,
  }
  return issueExternalCode({ user, identity: { ...row, ...about } })
}

const externalCode: SignInCase = async (client, user) => {
  const issued = await externalCodeOf(user)
  return async () => outcomeOf(await post(client, '/auth/external/exchange', { code: issued }))
}

const refresh: SignInCase = async (client, user) => {
  const { refreshToken } = await signedIn(client, user)
  return async () => outcomeOf(await post(client, '/auth/refresh', { refreshToken }))
}

const accessToken: SignInCase = async (client, user) => {
  const { headers } = await signedIn(client, user)
  return async () => outcomeOf(await client.get('/auth/profile').headers(headers))
}

const apiKey: SignInCase = async (client, user) => {
  const { headers } = await keyOf(user)
  return async () => outcomeOf(await client.get('/auth/profile').headers(headers))
}

const administratorsKey: SignInCase = async (client, user) => {
  const { headers } = await keyOf(user, ['users:read'])
  return async () => outcomeOf(await client.get('/users').headers(headers))
}

/** An application holds a token of the API. */
const applicationToken: SignInCase = async (client, user) => {
  const { tokens } = await signedInto(user, { resource: settings.issuer })
  const headers = bearer(tokens.access_token)
  return async () => outcomeOf(await client.get('/auth/profile').headers(headers))
}

const applicationRefresh: SignInCase = async (_, user) => {
  const { app, tokens } = await signedInto(user, { scope: 'openid offline_access' })
  const refreshed = () => oidc.refreshTokenGrant(app.config, tokens.refresh_token!)
  return () =>
    refreshed().then(
      () => '200',
      (error) => `${error.status} ${error.error}`
    )
}

/** Starts a session of the user with an application. */
async function signedInto(user: User, parameters: Record<string, string>) {
  const app = await application({ kind: 'first_party' })
  return { app, tokens: await tokensOf(app, await browserOf(user), parameters) }
}

/** Returns the status of a page, followed by the redirect target if there is one. */
function pageOutcome({ status, headers }: Response) {
  const location = headers.get('location')?.split('?')[0]
  return location ? `${status} ${location}` : String(status)
}

const signInPage: SignInCase = async (_, { email }) => {
  const browser = new TestBrowser()
  return async () => pageOutcome(await browser.submit('/sign-in', { email, password: PASSWORD }))
}

const codePage: SignInCase = async (_, user) => {
  const right = await giveSecondFactor(user)
  const browser = new TestBrowser()
  const first = await browser.submit('/sign-in', { email: user.email, password: PASSWORD })
  const [, mfaToken] = /name="mfaToken" value="([^"]+)/.exec(await first.text())!
  return async () =>
    pageOutcome(await browser.submit('/sign-in', { mfaToken, code: right }, '/sign-in/code'))
}

/** Returns the cookie in which the callback of an external login passes its code to the page. */
export function outcomeCookie(issued: string) {
  const outcome = { next: '/account', code: issued, purpose: 'external outcome' }
  const content = { ...outcome, endsAt: Date.now() + 60_000 }
  const cookies = new CookieClient(encryption.use())
  const name = 'gatehouse_external_outcome'
  return `${name}=${cookies.encrypt(name, content)}`
}

const externalPage: SignInCase = async (_, user) => {
  const browser = new TestBrowser()
  browser.keep(outcomeCookie(await externalCodeOf(user)))
  return async () => pageOutcome(await browser.request('/sign-in/external'))
}

/** Signs a browser in before the state changes. */
async function signedInBrowser({ email }: User) {
  const browser = new TestBrowser()
  await browser.submit('/sign-in', { email, password: PASSWORD })
  return browser
}

const accountPage: SignInCase = async (_, user) => {
  const browser = await signedInBrowser(user)
  return async () => pageOutcome(await browser.request('/account'))
}

const consolePage: SignInCase = async (_, user) => {
  const browser = await signedInBrowser(user)
  return async () => pageOutcome(await browser.request('/admin'))
}

/** Signs in to an application that requires a verified address. */
const addressCode: SignInCase = async (_, user) => {
  await updateUser(user.id, { emailVerified: false }, SYSTEM)
  const { browser, page } = await waitingBrowser({ user })
  const { code: right } = await mailedCode(user.email)
  return async () => landingOf(await typeCode(browser, page, right))
}

function post(client: ApiClient, path: string, body: object) {
  return client.post(path).header('x-forwarded-for', someAddress()).json(body)
}

export const SIGN_IN_METHODS = {
  password,
  code,
  passkey,
  'signed passkey': signedPasskey,
  'passkey step': passkeyStep,
  'external': externalCode,
  refresh,
  'access token': accessToken,
  'API key': apiKey,
  'API key of an administrator': administratorsKey,
  'token of an application': applicationToken,
  'refresh of an application': applicationRefresh,
  'sign-in page': signInPage,
  'code page': codePage,
  'external page': externalPage,
  'address code': addressCode,
  'account page': accountPage,
  'console': consolePage,
} satisfies Record<SignInMethod, SignInCase> & Record<string, SignInCase>
