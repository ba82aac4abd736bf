import * as oidc from 'openid-client'
import settings from '#config/external'
import limits from '#config/limits'
import { boundedFetch } from './bounded_fetch.ts'
import { claimedGroupsOf } from './claimed_groups.ts'
import { E_EXTERNAL_NOT_RECENT } from '#auth/errors'
import { DiscoveryError, providerRefusal, unreadable } from './provider_error.ts'
import {
  isSameIssuer,
  type OidcSettings,
  type ExternalIdentity,
  type ExternalProvider,
  type AuthorizationRequest,
} from './provider.ts'

const SCOPES = ['openid', 'email', 'profile']

// Any `max_age` makes `auth_time` required (OIDC Core, 3.1.2.1); a year requests no new password.
const TELL_AUTH_TIME = { max_age: '31536000' }

// A provider that knows either parameter asks again. Not the request but `auth_time` decides.
const ASK_AGAIN = { max_age: '0', prompt: 'login' }

export class OidcProvider implements ExternalProvider {
  readonly name: string
  readonly #settings: OidcSettings
  #metadata?: { document: oidc.ServerMetadata; readAt: number }

  constructor(oidcSettings: OidcSettings) {
    this.name = oidcSettings.name
    this.#settings = oidcSettings
  }

  async authorizationUrl(request: AuthorizationRequest, redirectUri: string) {
    const client = await this.#client().catch((error) => {
      throw providerRefusal(this.name, error)
    })
    return oidc.buildAuthorizationUrl(client, {
      redirect_uri: redirectUri,
      scope: this.#scopeFor(client.serverMetadata()),
      state: request.state,
      nonce: request.nonce,
      code_challenge: await oidc.calculatePKCECodeChallenge(request.codeVerifier),
      code_challenge_method: 'S256',
      ...(request.isReauthentication ? ASK_AGAIN : TELL_AUTH_TIME),
    })
  }

  // Many providers give the claim only for a scope of its name; others refuse an unknown scope.
  #scopeFor({ scopes_supported: known = [] }: oidc.ServerMetadata) {
    const { groupsClaim } = this.#settings
    const hasScope = groupsClaim !== null && known.includes(groupsClaim)
    return [...SCOPES, ...(hasScope ? [groupsClaim] : [])].join(' ')
  }

  async identify(request: AuthorizationRequest, callback: URL): Promise<ExternalIdentity> {
    try {
      return await this.#identify(request, callback)
    } catch (error) {
      throw providerRefusal(this.name, error)
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
    assertReauthenticated(claims, request)
    return this.#toIdentity(claims, await this.#profile(client, tokens.access_token, claims))
  }

  /** Requests tokens by an invalid code: a provider that knows the client refuses only the code. */
  async probe(redirectUri: string) {
    const client = await this.#client()
    const parameters = { code: 'a-code-of-no-sign-in', redirect_uri: redirectUri }
    return oidc.genericGrantRequest(client, 'authorization_code', parameters)
  }

  // Takes address and verification from one response: another address must not count as verified. A
  // failed UserInfo request does not stop a login that lacks only name or picture.
  async #profile(client: oidc.Configuration, token: string, claims: oidc.IDToken) {
    const isComplete = claims.email && claims.name && claims.picture
    if ((isComplete && this.#hasGroups(claims)) || !client.serverMetadata().userinfo_endpoint)
      return claims
    const { email, email_verified: isVerified } = claims
    try {
      const profile = { ...claims, ...(await oidc.fetchUserInfo(client, token, claims.sub)) }
      return email ? { ...profile, email, email_verified: isVerified } : profile
    } catch (error) {
      if (!email) throw error
      providerRefusal(this.name, error)
      return claims
    }
  }

  #hasGroups(claims: oidc.IDToken) {
    const { groupsClaim } = this.#settings
    return groupsClaim === null || claims[groupsClaim] !== undefined
  }

  #toIdentity(claims: oidc.IDToken, profile: Record<string, any>): ExternalIdentity {
    const text = (value: unknown) => (typeof value === 'string' && value !== '' ? value : null)
    assertStorable(claims.sub, MOST_OF_SUBJECT)
    assertStorable(text(profile.email) ?? '', limits.email)
    return {
      provider: this.name,
      issuer: claims.iss,
      subject: claims.sub,
      email: text(profile.email),
      emailVerified: profile.email_verified === true || profile.email_verified === 'true',
      name: text(profile.name) ?? text(profile.preferred_username),
      picture: text(profile.picture),
      authenticatedAt: authTimeOf(claims),
      ...(this.#settings.isFromConsole && { isFromConsole: true }),
      ...this.#groupsOf(profile),
    }
  }

  #groupsOf(profile: Record<string, any>) {
    const { groupsClaim } = this.#settings
    return groupsClaim === null ? {} : { groups: claimedGroupsOf(profile[groupsClaim]) }
  }

  // Verifies the signature of ID tokens, although they come over TLS.
  async #client() {
    const { clientId, clientSecret } = this.#settings
    const fetchWithin = boundedFetch(this.#settings)
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
    const document = await this.#readMetadata(fetchWithin)
    this.#metadata = { document, readAt: Date.now() }
    return document
  }

  async #readMetadata(fetchWithin: ReturnType<typeof boundedFetch>) {
    const { issuer, clientId } = this.#settings
    try {
      const client = await oidc.discovery(new URL(issuer), clientId, undefined, undefined, {
        [oidc.customFetch]: fetchWithin,
        execute: this.#isLocal ? [oidc.allowInsecureRequests] : [],
      })
      const metadata = client.serverMetadata()
      if (this.#settings.isFromConsole) assertNames(metadata, issuer)
      return metadata
    } catch (error) {
      throw new DiscoveryError(undefined, { cause: error })
    }
  }
}

// OpenID Connect Core, section 2.
const MOST_OF_SUBJECT = 255

function assertStorable(claim: string, most: number) {
  if (claim.length > most || claim.includes('\0')) throw unreadable('UNREADABLE_CLAIM')
}

// The library lets some documents name another issuer, whose users the provider could then sign in.
function assertNames({ issuer: named }: oidc.ServerMetadata, issuer: string) {
  if (!isSameIssuer(named, issuer)) throw new Error('Another issuer is named')
}

// How far a provider's clock may be ahead; a later `auth_time` is ignored.
const CLOCK_LEEWAY_MS = 60_000

function authTimeOf({ auth_time: seconds }: oidc.IDToken) {
  if (typeof seconds !== 'number' || seconds <= 0) return null
  const [authenticatedAt, now] = [seconds * 1_000, Date.now()]
  return authenticatedAt <= now + CLOCK_LEEWAY_MS ? Math.min(authenticatedAt, now) : null
}

// An open session at the provider proves nothing: a passer-by could confirm a change with a click.
// `auth_time` is in whole seconds, so a time in the second of the request is accepted.
function assertReauthenticated(claims: oidc.IDToken, request: AuthorizationRequest) {
  if (!request.isReauthentication) return
  const askedAt = Math.floor(request.startedAt / 1_000) * 1_000
  if ((authTimeOf(claims) ?? 0) < askedAt) throw new E_EXTERNAL_NOT_RECENT()
}
