import * as oidc from 'openid-client'
import { SYSTEM } from '#audit/actor'
import { DEVICE_COOKIE } from '#auth/devices/browser_id'
import { endAllSessionsAs } from '#auth/sessions/end_session'
import { addServiceAccount } from '#users/service_accounts'
import { bearer, createAdmin, createUser, keyOf, PASSWORD } from '#tests/support/fixtures'
import { someAddress } from '#tests/support/users'
import {
  application,
  authorizationRequest,
  Browser,
  browserOf,
  proxy,
  tokensOf,
  type Application,
} from '#tests/support/oidc'
import type { CountedHeaders } from '#tests/support/statements'

/* The paths whose statements are counted. Each is prepared one time and run several times. */

export type Take = (headers: CountedHeaders) => Promise<unknown>

interface Given {
  method?: 'POST'
  headers?: Record<string, string>
  json?: object
  form?: Record<string, string>
}

/** The address of the applications: the first use of a secret from another address costs more. */
const address = someAddress()

async function send(path: string, { method, headers, json, form }: Given) {
  const response = await fetch(`http://127.0.0.1:${process.env.PORT}${path}`, {
    method: method ?? (json || form ? 'POST' : 'GET'),
    headers: {
      'x-forwarded-for': address,
      ...(json && { 'content-type': 'application/json' }),
      ...headers,
    },
    body: json ? JSON.stringify(json) : form && new URLSearchParams(form),
  })
  const text = await response.text()
  if (!response.ok) throw new Error(`${path}: ${response.status} ${text}`)
  return text
}

const sendJson = async (path: string, given: Given) => JSON.parse(await send(path, given))

/** Makes browsers and libraries of applications send these headers with each request. */
async function sending<Result>(headers: CountedHeaders, act: () => Promise<Result>) {
  const { fetch } = proxy
  proxy.fetch = (url, options) =>
    fetch(url, {
      ...options,
      headers: { ...Object.fromEntries(new Headers(options.headers)), ...headers },
    })
  try {
    return await act()
  } finally {
    proxy.fetch = fetch
  }
}

type ClientSettings = Parameters<typeof application>[0]

function firstParty(settings?: ClientSettings) {
  return application({ kind: 'first_party', ...settings })
}

/** Uses the browser's device, from which the user has signed in before. */
async function signInWithPassword(app: Application, known: Browser, email: string) {
  for (const name of known.cookies.keys()) if (name !== DEVICE_COOKIE) known.cookies.delete(name)
  const { url, checks } = await authorizationRequest(app)
  const form = await known.open(url)
  const answer = await known.submit(form, /^\/sign-in/, { email, password: PASSWORD })
  await oidc.authorizationCodeGrant(app.config, answer.url, checks)
}

async function signInByPassword(): Promise<Take> {
  const [app, browser, { email }] = [await firstParty(), new Browser(), await createUser()]
  return (headers) => sending(headers, () => signInWithPassword(app, browser, email))
}

async function signInBySession(): Promise<Take> {
  const [app, browser] = [await firstParty(), await browserOf(await createUser())]
  return (headers) => sending(headers, () => tokensOf(app, browser))
}

async function tokensOfApplication(scope = 'openid email profile', settings?: ClientSettings) {
  const app = await firstParty(settings)
  return { app, tokens: await tokensOf(app, await browserOf(await createUser()), { scope }) }
}

function credentialsOf({ client, clientSecret }: Application) {
  return { client_id: client.clientId, ...(clientSecret && { client_secret: clientSecret }) }
}

async function refreshOfApplication(settings?: ClientSettings): Promise<Take> {
  const { app, tokens } = await tokensOfApplication('openid offline_access', settings)
  let refreshToken = tokens.refresh_token!
  return async (headers) => {
    const form = { ...credentialsOf(app), grant_type: 'refresh_token', refresh_token: refreshToken }
    const answer = await sendJson('/oauth/token', { form, headers })
    refreshToken = answer.refresh_token ?? refreshToken
  }
}

async function machine() {
  const { id } = await addServiceAccount({ username: 'Reports', role: 'Admin' }, SYSTEM)
  return application({
    grantTypes: ['client_credentials'],
    redirectUris: [],
    scopes: ['users:read'],
    serviceAccountId: id,
  })
}

function askForMachine(app: Application, headers?: CountedHeaders) {
  const form = { ...credentialsOf(app), grant_type: 'client_credentials' }
  return send('/oauth/token', { form, headers })
}

async function clientCredentials(): Promise<Take> {
  const app = await machine()
  return (headers) => askForMachine(app, headers)
}

/** The client has asked before, and its session is ended before each run. */
async function clientCredentialsWithoutSession(): Promise<Take> {
  const app = await machine()
  await askForMachine(app)
  return async (headers) => {
    await endAllSessionsAs(app.client.serviceAccountId!, SYSTEM)
    await askForMachine(app, headers)
  }
}

async function userinfo(): Promise<Take> {
  const { tokens } = await tokensOfApplication()
  return (headers) =>
    send('/oauth/userinfo', { headers: { ...bearer(tokens.access_token), ...headers } })
}

async function introspection(): Promise<Take> {
  const { app, tokens } = await tokensOfApplication()
  const form = { ...credentialsOf(app), token: tokens.access_token }
  return (headers) => send('/oauth/introspect', { form, headers })
}

async function loggedIn(email: string, headers?: CountedHeaders) {
  const json = { email, password: PASSWORD }
  return sendJson('/auth/login', { json, headers: { 'x-device-id': 'laptop', ...headers } })
}

async function login(): Promise<Take> {
  const { email } = await createUser()
  return (headers) => loggedIn(email, headers)
}

async function refresh(): Promise<Take> {
  const { email } = await createUser()
  const { refreshToken } = await loggedIn(email)
  return (headers) => send('/auth/refresh', { json: { refreshToken }, headers })
}

async function profile(): Promise<Take> {
  const { email } = await createUser()
  const { accessToken } = await loggedIn(email)
  return (headers) => send('/auth/profile', { headers: { ...bearer(accessToken), ...headers } })
}

async function profileByKey(): Promise<Take> {
  const key = await keyOf(await createUser())
  return (headers) => send('/auth/profile', { headers: { ...key.headers, ...headers } })
}

function page(path: string) {
  return async (): Promise<Take> => {
    const browser = await browserOf(await createAdmin())
    return (headers) => sending(headers, () => opened(browser, path))
  }
}

/** Lists only one user: a longer list also counts the users that a bulk action would affect. */
async function usersPage(): Promise<Take> {
  const admin = await createAdmin()
  const browser = await browserOf(admin)
  const path = `/admin/users?search=${encodeURIComponent(admin.email!)}`
  return (headers) => sending(headers, () => opened(browser, path))
}

async function opened(browser: Browser, path: string) {
  const { response } = await browser.open(`${browser.issuer}${path}`)
  if (!response.ok) throw new Error(`${path}: ${response.status}`)
}

async function signInPage(): Promise<Take> {
  return (headers) => sending(headers, () => opened(new Browser(), '/sign-in'))
}

export const PATHS = {
  'sign-in to an application by password': signInByPassword,
  'sign-in to an application by session': signInBySession,
  'refresh by an application': () => refreshOfApplication(),
  'refresh by a public client': () => refreshOfApplication({ tokenEndpointAuthMethod: 'none' }),
  'client_credentials': clientCredentials,
  'client_credentials without a session': clientCredentialsWithoutSession,
  'userinfo': userinfo,
  'introspection': introspection,
  'profile': profile,
  'profile by API key': profileByKey,
  'login': login,
  'refresh': refresh,
  'page of the sign-in': signInPage,
  'page of the account': page('/account'),
  'page of users found': usersPage,
}

export type PathName = keyof typeof PATHS
