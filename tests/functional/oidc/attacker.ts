import settings from '#config/oidc'
import { createUser } from '#tests/support/fixtures'
import {
  type Application,
  authorizationRequest,
  browserOf,
  REDIRECT,
  throughProxy,
  tokensOf,
} from '#tests/support/oidc'

/* What attacks start from. */

export const PUBLIC = { kind: 'first_party', tokenEndpointAuthMethod: 'none' } as const
export async function post(path: string, parameters: Record<string, string>, headers = {}) {
  const body = new URLSearchParams(parameters)
  const response = await throughProxy(`${settings.issuer}${path}`, {
    method: 'POST',
    body,
    headers,
  })
  const text = await response.text()
  return { status: response.status, sent: response.headers, body: text ? JSON.parse(text) : null }
}

/** Returns a code of a public client, and what is needed to redeem it. */
export async function codeOf(app: Application) {
  const { url, verifier } = await authorizationRequest(app)
  const browser = await browserOf(await createUser())
  const answer = await browser.open(url)
  const code = answer.url.searchParams.get('code')!
  const redeem = {
    grant_type: 'authorization_code',
    client_id: app.client.clientId,
    redirect_uri: REDIRECT,
    code_verifier: verifier,
  }
  return { ...redeem, code }
}

/** Signs in with a scope that also requests a refresh token. */
export async function signedInto(app: Application, asked: Record<string, string> = {}) {
  const user = await createUser()
  const parameters = { scope: 'openid profile offline_access', ...asked }
  return { user, tokens: await tokensOf(app, await browserOf(user), parameters) }
}
