import * as oauth from 'openid-client'
import { E_EXTERNAL_NOT_RECENT } from '#auth/errors'
import { boundedFetch } from './bounded_fetch.ts'
import { providerRefusal, unreadable } from './provider_error.ts'
import type { ExternalIdentity, ExternalProvider, AuthorizationRequest } from './provider.ts'
import { type GithubUser, type GithubEmail, claimsOf } from './github_claims.ts'

interface GithubSettings {
  clientId: string
  clientSecret: string
  url: string
  apiUrl: string
}

/** OAuth 2.0 without ID token or `auth_time`: it identifies a user, but confirms no change. */
export class GithubProvider implements ExternalProvider {
  readonly name = 'github'
  readonly #settings: GithubSettings

  constructor(githubSettings: GithubSettings) {
    this.#settings = githubSettings
  }

  async authorizationUrl(request: AuthorizationRequest, redirectUri: string) {
    if (request.isReauthentication) throw new E_EXTERNAL_NOT_RECENT()
    return oauth.buildAuthorizationUrl(this.#client(), {
      redirect_uri: redirectUri,
      scope: 'read:user user:email',
      state: request.state,
      code_challenge: await oauth.calculatePKCECodeChallenge(request.codeVerifier),
      code_challenge_method: 'S256',
    })
  }

  async identify(request: AuthorizationRequest, callback: URL): Promise<ExternalIdentity> {
    try {
      return await this.#identify(request, callback)
    } catch (error) {
      throw providerRefusal(this.name, error)
    }
  }

  async #identify(request: AuthorizationRequest, callback: URL): Promise<ExternalIdentity> {
    const client = this.#client()
    const { access_token: token } = await oauth.authorizationCodeGrant(client, callback, {
      pkceCodeVerifier: request.codeVerifier,
      expectedState: request.state,
    })
    const user = await this.#get<GithubUser>(client, token, '/user')
    const emails = await this.#get<GithubEmail[]>(client, token, '/user/emails')
    if (!Number.isSafeInteger(user.id) || !Array.isArray(emails)) throw unreadable('NO_USER')
    return { provider: this.name, issuer: this.#settings.url, ...claimsOf(user, emails) }
  }

  /** @returns GitHub's error for a code that was never issued; its status is 200 or 404 */
  async probe(redirectUri: string): Promise<string | null> {
    const { url, clientId, clientSecret } = this.#settings
    const body = new URLSearchParams({
      client_id: clientId,
      client_secret: clientSecret,
      code: 'a-code-of-no-sign-in',
      redirect_uri: redirectUri,
    })
    const request = { method: 'POST', body, headers: { accept: 'application/json' } }
    const response = await boundedFetch()(`${url}/login/oauth/access_token`, request)
    const answer = (await response.json().catch(() => null)) as { error?: unknown } | null
    return typeof answer?.error === 'string' ? answer.error : null
  }

  async #get<T>(client: oauth.Configuration, token: string, path: string): Promise<T> {
    const url = new URL(this.#settings.apiUrl + path)
    const headers = new Headers({ 'accept': 'application/json', 'user-agent': 'gatehouse' })
    const response = await oauth.fetchProtectedResource(client, token, url, 'GET', null, headers)
    if (!response.ok) throw unreadable(`STATUS_${response.status}`)
    return (await response.json().catch(() => {
      throw unreadable('NOT_JSON')
    })) as T
  }

  #client() {
    const { url, clientId, clientSecret } = this.#settings
    const server = {
      issuer: url,
      authorization_endpoint: `${url}/login/oauth/authorize`,
      token_endpoint: `${url}/login/oauth/access_token`,
    }
    const client = new oauth.Configuration(server, clientId, clientSecret)
    client[oauth.customFetch] = boundedFetch()
    if (url.startsWith('http://')) oauth.allowInsecureRequests(client)
    return client
  }
}
