import * as oidc from 'openid-client'
import settings from '#config/external'
import { E_EXTERNAL_LOGIN_FAILED } from '#auth/errors'
import { boundedFetch, providerFault } from './bounded_fetch.ts'
import type { OidcSettings } from '#setup/oidc_clients'
import type { ExternalIdentity, ExternalProvider, AuthorizationRequest } from './provider.ts'

const SCOPE = 'openid email profile'

/** An OpenID Connect issuer: code flow with PKCE, state, nonce and a verified ID token. */
export class OidcProvider implements ExternalProvider {
  readonly name: string
  readonly #settings: OidcSettings
  #metadata?: { document: oidc.ServerMetadata; readAt: number }

  constructor(given: OidcSettings) {
    this.name = given.name
    this.#settings = given
  }

  async authorizationUrl(pending: AuthorizationRequest, redirectUri: string) {
    const client = await this.#client()
    return oidc.buildAuthorizationUrl(client, {
      redirect_uri: redirectUri,
      scope: SCOPE,
      state: pending.state,
      nonce: pending.nonce,
      code_challenge: await oidc.calculatePKCECodeChallenge(pending.codeVerifier),
      code_challenge_method: 'S256',
    })
  }

  async identify(pending: AuthorizationRequest, callback: URL): Promise<ExternalIdentity> {
    try {
      return await this.#identify(pending, callback)
    } catch (error) {
      const fault = providerFault(error)
      throw fault === error ? new E_EXTERNAL_LOGIN_FAILED(undefined, { cause: error }) : fault
    }
  }

  async #identify(pending: AuthorizationRequest, callback: URL) {
    const client = await this.#client()
    const tokens = await oidc.authorizationCodeGrant(client, callback, {
      pkceCodeVerifier: pending.codeVerifier,
      expectedState: pending.state,
      expectedNonce: pending.nonce,
      idTokenExpected: true,
    })
    const claims = tokens.claims()!
    const info = claims.email ? claims : await this.#userInfo(client, tokens.access_token, claims)
    return this.#toIdentity(claims, info)
  }

  /** Where the ID token does not carry the e-mail, the issuer tells it on request. */
  async #userInfo(client: oidc.Configuration, token: string, claims: oidc.IDToken) {
    if (!client.serverMetadata().userinfo_endpoint) return claims
    return { ...claims, ...(await oidc.fetchUserInfo(client, token, claims.sub)) }
  }

  #toIdentity(claims: oidc.IDToken, info: Record<string, any>): ExternalIdentity {
    const text = (value: unknown) => (typeof value === 'string' && value !== '' ? value : null)
    return {
      provider: this.name,
      issuer: claims.iss,
      subject: claims.sub,
      email: text(info.email),
      emailVerified: info.email_verified === true || info.email_verified === 'true',
      name: text(info.name) ?? text(info.preferred_username),
      picture: text(info.picture),
    }
  }

  /** A client for one step. The signature of ID tokens is verified even though they come over TLS. */
  async #client() {
    const { clientId, clientSecret } = this.#settings
    const fetchWithin = boundedFetch()
    const client = new oidc.Configuration(await this.#discover(fetchWithin), clientId, clientSecret)
    client[oidc.customFetch] = fetchWithin
    oidc.enableNonRepudiationChecks(client)
    if (this.#isLocal) oidc.allowInsecureRequests(client)
    return client
  }

  get #isLocal() {
    return this.#settings.issuer.startsWith('http://')
  }

  async #discover(fetchWithin: ReturnType<typeof boundedFetch>) {
    const known = this.#metadata
    if (known && Date.now() - known.readAt < settings.discoveryTtlMs) return known.document
    const { issuer, clientId } = this.#settings
    try {
      const client = await oidc.discovery(new URL(issuer), clientId, undefined, undefined, {
        [oidc.customFetch]: fetchWithin,
        execute: this.#isLocal ? [oidc.allowInsecureRequests] : [],
      })
      this.#metadata = { document: client.serverMetadata(), readAt: Date.now() }
      return this.#metadata.document
    } catch (error) {
      const fault = providerFault(error)
      throw fault === error ? new E_EXTERNAL_LOGIN_FAILED(undefined, { cause: error }) : fault
    }
  }
}
