import type User from '#models/user'
import settings from '#config/oidc'
import { findQuickIntrospection } from '#oidc/tokens/quick_introspection'
import { createUser, someAddress } from '#tests/support/fixtures'
import { application, browserOf, throughProxy, tokensOf } from '#tests/support/oidc'
import type { Application } from '#tests/support/oidc'

/* Introspection by both code paths: an unknown parameter makes a request take the long one. */

const INTROSPECT = `${settings.issuer}/oauth/introspect`

/** Headers that identify the request and its time. */
const OWN_HEADERS = new Set(['date', 'x-request-id', 'keep-alive'])

/** Removes the id of the request from a text. */
const withoutId = (text: string) => text.replace(/"requestId":"[^"]*"/, '"requestId":""')

export interface Scene {
  app: Application
  user: User
  token: string
  address: string
}

export interface Asked {
  form?: [string, string][]
  /** `null` sends the secret in the form. */
  basic?: string | null
  headers?: Record<string, string>
  query?: string
}

export function requestOf({ app, token, address }: Scene, { form, basic, headers }: Asked) {
  const { client, clientSecret: secret } = app
  const id = client.clientId
  const credentials = Buffer.from(basic ?? `${id}:${secret}`).toString('base64')
  const inForm = { client_id: id, client_secret: secret! }
  const fields = form ?? Object.entries({ token, ...(basic === null && inForm) })
  const authorization = { authorization: `Basic ${credentials}` }
  return {
    method: 'POST',
    headers: { 'x-forwarded-for': address, ...(basic !== null && authorization), ...headers },
    body: new URLSearchParams(fields),
  }
}

export async function answerOf(given: Scene, asked: Asked = {}) {
  const response = await throughProxy(INTROSPECT + (asked.query ?? ''), requestOf(given, asked))
  const shown = [...response.headers].filter(([name]) => !OWN_HEADERS.has(name))
  const body = withoutId(await response.text())
  return { status: response.status, headers: shown, body }
}

export const theWholeWay = (given: Scene, asked: Asked = {}) =>
  answerOf(given, { ...asked, query: '?through=router' })

export function quickAnswerOf({ app, token, address: ip }: Scene) {
  const { client, clientSecret: secret } = app
  const credentials = { clientId: client.clientId, candidates: [secret!] }
  return findQuickIntrospection({ token, credentials, ip })
}

/** Sends two requests from one address: the first stores the address, the second reads it. */
export async function scene(
  scope = 'openid email profile groups',
  as = createUser()
): Promise<Scene> {
  const [app, user] = [await application({ kind: 'first_party' }), await as]
  const tokens = await tokensOf(app, await browserOf(user), { scope })
  const given = { app, user, token: tokens.access_token, address: someAddress() }
  for (let time = 0; time < 2; time++) await theWholeWay(given)
  return given
}
