import { freezeTime } from '@japa/runner'
import { generate } from 'otplib'
import type { ApiClient, ApiResponse } from '@japa/api-client'
import Identity from '#models/identity'
import type User from '#models/user'
import { encryptSecret, newSecret } from '#auth/mfa/totp'
import { issueExternalCode } from '#auth/external/exchange_code'
import { PASSWORD, keyOf, login, signedIn, someAddress } from '#tests/fixtures'
import { TestBrowser } from '../external/browser.ts'

/** What an answer of the API says: its status, and its code where it is an error. */
export function outcomeOf(response: ApiResponse) {
  const { code } = response.body() ?? {}
  return code ? `${response.status()} ${code}` : String(response.status())
}

/** Gives a user a second factor, and the code for it at this moment. The clock stands still. */
export async function giveSecondFactor(user: User) {
  freezeTime()
  const { secret } = newSecret(user.email)
  await user.merge({ mfaEnabled: true, mfaSecret: encryptSecret(user.id, secret) }).save()
  return generate({ secret })
}

type Enter = () => Promise<string>

/**
 * A way in: what happens before the user's state changes, and the request after it, which
 * resolves with its outcome.
 */
type WayIn = (client: ApiClient, user: User) => Promise<Enter>

const password: WayIn = async (client, { email }) => {
  return async () => outcomeOf(await login(client, { email }))
}

const code: WayIn = async (client, user) => {
  const right = await giveSecondFactor(user)
  const challenge = await login(client, { email: user.email })
  const { mfaToken } = challenge.body()
  return async () => outcomeOf(await post(client, '/auth/mfa/verify', { mfaToken, code: right }))
}

/** The code of a login with an identity of the user. */
export async function externalCodeOf(user: User) {
  const row = { provider: 'acme', issuer: 'https://acme.example', subject: user.id, email: null }
  await Identity.updateOrCreate({ subject: user.id }, { ...row, userId: user.id })
  const about = { emailVerified: false, name: null, picture: null, isLinked: true }
  return issueExternalCode({ user, identity: { ...row, ...about } })
}

const externalCode: WayIn = async (client, user) => {
  const issued = await externalCodeOf(user)
  return async () => outcomeOf(await post(client, '/auth/external/exchange', { code: issued }))
}

const refresh: WayIn = async (client, user) => {
  const { refreshToken } = await signedIn(client, user)
  return async () => outcomeOf(await post(client, '/auth/refresh', { refreshToken }))
}

const accessToken: WayIn = async (client, user) => {
  const { headers } = await signedIn(client, user)
  return async () => outcomeOf(await client.get('/auth/profile').headers(headers))
}

const apiKey: WayIn = async (client, user) => {
  const { headers } = await keyOf(user)
  return async () => outcomeOf(await client.get('/auth/profile').headers(headers))
}

const administratorsKey: WayIn = async (client, user) => {
  const { headers } = await keyOf(user, ['users:read'])
  return async () => outcomeOf(await client.get('/users').headers(headers))
}

/** The outcome is the status, and for a redirect where it leads. */
const consolePage: WayIn = async (_, { email }) => {
  const browser = new TestBrowser()
  const page = await browser.request('/admin/sign-in')
  const [, csrf] = /name=['"]_csrf['"] value=['"]([^'"]+)/.exec(await page.text())!
  return async () => {
    const body = new URLSearchParams({ _csrf: csrf, email, password: PASSWORD })
    const response = await browser.request('/admin/sign-in', { method: 'POST', body })
    const location = response.headers.get('location')?.split('?')[0]
    return location ? `${response.status} ${location}` : String(response.status)
  }
}

function post(client: ApiClient, path: string, body: object) {
  return client.post(path).header('x-forwarded-for', someAddress()).json(body)
}

export const WAYS_IN = {
  password,
  code,
  'external code': externalCode,
  refresh,
  'access token': accessToken,
  'API key': apiKey,
  'API key of an administrator': administratorsKey,
  'console': consolePage,
} satisfies Record<string, WayIn>
