import * as oidc from 'openid-client'
import settings from '#config/external'
import { E_EXTERNAL_LOGIN_FAILED } from '#auth/errors'
import { boundedFetch, providerFault } from './bounded_fetch.ts'
import type { OidcSettings } from './oidc_settings.ts'
import type { ExternalIdentity, ExternalProvider, AuthorizationRequest } from './provider.ts'

const SCOPE = 'openid email profile'

/** An OpenID Connect issuer: code flow with PKCE, state, nonce and a verified ID token. */
export class OidcProvider implements ExternalProvider {
  readonly name: string
  readonly #settings: OidcSettings
  #metadata?: { document: oidc.ServerMetadata; readAt: number }

  constructor(oidcSettings: OidcSettings) {
    this.name = oidcSettings.name
    this.#settings = oidcSettings
  }

  async authorizationUrl(request: AuthorizationRequest, redirectUri: string) {
    const client = await this.#client()
    return oidc.buildAuthorizationUrl(client, {
      redirect_uri: redirectUri,
      scope: SCOPE,
      state: request.state,
      nonce: request.nonce,
      code_challenge: await oidc.calculatePKCECodeChallenge(request.codeVerifier),
      code_challenge_method: 'S256',
    })
  }

  async identify(request: AuthorizationRequest, callback: URL): Promise<ExternalIdentity> {
    try {
      return await this.#identify(request, callback)
    } catch (error) {
      const fault = providerFault(error)
      throw fault === error ? new E_EXTERNAL_LOGIN_FAILED(undefined, { cause: error }) : fault
    }
  }

  async #identify(request: AuthorizationRequest, callback: URL) {
    const client = await this.#client()
    const tokens = await oidc.authorizationCodeGrant(client, callback, {
      pkceCodeVerifier: request.codeVerifier,
      expectedState: request.state,
      expectedNonce: request.nonce,
      idTokenExpected: true,
    })
    const claims = tokens.claims()!
    const profile = claims.email
      ? claims
      : await this.#userInfo(client, tokens.access_token, claims)
    return this.#toIdentity(claims, profile)
  }

  /** Asks the UserInfo endpoint, for issuers whose ID token has no e-mail address. */
  async #userInfo(client: oidc.Configuration, token: string, claims: oidc.IDToken) {
    if (!client.serverMetadata().userinfo_endpoint) return claims
    return { ...claims, ...(await oidc.fetchUserInfo(client, token, claims.sub)) }
  }

  #toIdentity(claims: oidc.IDToken, profile: Record<string, any>): ExternalIdentity {
    const text = (value: unknown) => (typeof value === 'string' && value !== '' ? value : null)
    return {
      provider: this.name,
      issuer: claims.iss,
      subject: claims.sub,
      email: text(profile.email),
      emailVerified: profile.email_verified === true || profile.email_verified === 'true',
      name: text(profile.name) ?? text(profile.preferred_username),
      picture: text(profile.picture),
    }
  }

  /** A client for one step. It verifies the signature of ID tokens even though they come over TLS. */
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
