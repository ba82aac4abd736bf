import type { Client, Context } from 'oidc-provider'
import { isHttps } from '#config/app'
import settings from '#config/oidc'
import { ID_TOKEN_ALGORITHMS } from '#auth/signing_keys/signing_key'
import { ADVERTISED_PATHS, PROVIDER_ROUTES } from '#start/routes/oauth'
import { ACR_VALUES } from '#oidc/tokens/acr'
import { findAccount } from '#oidc/tokens/accounts'
import { CLAIMS } from '#oidc/tokens/claims'
import { limitClaims } from '#oidc/tokens/requested_claims'
import { ASSERTION_ALGORITHMS } from '#oidc/assertions/client_keys'
import { AUTH_METHODS, GRANT_TYPES, IDENTITY_SCOPES } from '#oidc/clients/client'
import { OWN_METADATA, type OwnMetadata } from '#oidc/clients/metadata'
import { isAppScheme } from '#oidc/clients/redirect_uris'
import { InvalidClientMetadata } from '#oidc/client_id_metadata/invalid_client_metadata'
import { rememberFailure } from './failures.ts'
import { assertClientAssertion } from './patches/client_assertions.ts'
import { rotateRefreshToken } from './rotate_refresh_token.ts'
import { policy } from './policy.ts'
import { COOKIES } from './cookies.ts'
import { customizeJwt } from '#oidc/tokens/access_tokens'
import { defaultResource, getResourceServer } from '#oidc/tokens/resource_servers'
import { revokeStored } from '#oidc/tokens/revocation'
import { DatabaseAdapter } from './adapter.ts'
import { getsRefreshToken } from '#oidc/grants/refresh_tokens'
import { reportReuse } from '#oidc/grants/reuse'

/** Features that are not named here are off (`docs/openid-provider.md`). */
export function configuration() {
  return {
    adapter: DatabaseAdapter,
    clientBasedCORS: mayCallFrom,
    cookies: { names: COOKIES, short: { httpOnly: true, sameSite: 'lax', secure: isHttps } },
    allowOmittingSingleRegisteredRedirectUri: false,
    enabledJWA: {
      idTokenSigningAlgValues: [...ID_TOKEN_ALGORITHMS],
      clientAuthSigningAlgValues: [...ASSERTION_ALGORITHMS],
    },
    extraClientMetadata: { properties: [...OWN_METADATA] },
    /** A token ends with the session of its grant. */
    expiresWithSession: () => false,
    features: features(),
    grantTypes: GRANT_TYPES,
    interactions: { policy, url: interactionUrl },
    pkce: { required: isChallengeRequired },
    renderError,
    responseTypes: ['code'],
    revokeGrantPolicy: reportReuse,
    rotateRefreshToken,
    routes: { ...ADVERTISED_PATHS, ...ownPaths() },
    scopes: [...IDENTITY_SCOPES],
    subjectTypes: ['public'],
    ttl: lifetimes(),
    fetch: sendNothing,
    ...authentication(),
    ...tokens(),
  }
}

function authentication() {
  return {
    clientAuthMethods: [...AUTH_METHODS],
    assertJwtClientAuthClaimsAndHeader: assertClientAssertion,
    /** Applies to assertions. Our records expire by their own time. */
    clockTolerance: settings.assertions.leewaySeconds,
  }
}

function tokens() {
  return {
    acrValues: ACR_VALUES,
    claims: CLAIMS,
    /** Clients such as oauth2-proxy read the address in the ID token. */
    conformIdTokenClaims: false,
    findAccount,
    formats: { customizers: { jwt: customizeJwt } },
    issueRefreshToken: mayRefresh,
  }
}

/** The provider makes the paths of the other routes itself. */
function ownPaths() {
  const { discovery, metadata, resume, ...own } = PROVIDER_ROUTES
  return Object.fromEntries(Object.entries(own).map(([name, { path }]) => [name, path]))
}

/** Experimental features name the version that was reviewed. */
function features() {
  return {
    devInteractions: { enabled: false },
    backchannelLogout: { enabled: true },
    claimsParameter: { enabled: true, assertClaimsParameter: limitClaims },
    clientCredentials: { enabled: true },
    deviceFlow: { enabled: true },
    dPoP: { enabled: true },
    externalSigningSupport: { enabled: true, ack: 'experimental-01' },
    introspection: { enabled: true },
    pushedAuthorizationRequests: { enabled: true },
    resourceIndicators: {
      enabled: true,
      defaultResource,
      getResourceServerInfo: getResourceServer,
      /** The token goes to the service that the client named when it asked the user. */
      useGrantedResource: async () => true,
    },
    revocation: { enabled: true, allowedPolicy: revokeStored },
    rpInitiatedLogout: { enabled: true },
    userinfo: { enabled: true },
  }
}

async function mayRefresh(_ctx: Context, client: Client, source: { scopes: Set<string> }) {
  return getsRefreshToken(client, [...source.scopes])
}

interface WithExpiry {
  exp?: number
}

function remaining({ exp = 0 }: WithExpiry = {}) {
  return Math.max(1, exp - Math.floor(Date.now() / 1_000))
}

function lifetimes() {
  return {
    AccessToken: settings.accessSeconds,
    AuthorizationCode: settings.codeSeconds,
    ClientCredentials: settings.accessSeconds,
    DeviceCode: settings.deviceSeconds,
    Grant: (_ctx: Context, grant: WithExpiry) => remaining(grant),
    IdToken: settings.idTokenSeconds,
    Interaction: settings.interactionSeconds,
    RefreshToken: (ctx: Context) => remaining(ctx.oidc.entities.Grant),
    Session: settings.interactionSeconds,
  }
}

async function interactionUrl({ oidc }: Context, { uid }: { uid: string }) {
  const { ui_locales: locales } = oidc.params
  const query = locales ? `?${new URLSearchParams({ ui_locales: locales })}` : ''
  return `/oauth/interaction/${uid}${query}`
}

/** Another app can claim the scheme of an app and would get the code (RFC 8252, section 8.1). */
function isChallengeRequired({ oidc }: Context, client: Client) {
  const { requirePkce, isFapi }: OwnMetadata = client.gatehouse
  const isPublic = client.clientAuthMethod === 'none'
  return requirePkce || isFapi || isPublic || isAppScheme(oidc.params.redirect_uri)
}

/** Web pages of public clients call from the origins of their redirect addresses. */
function mayCallFrom(_ctx: Context, origin: string, client: Client) {
  if (client.clientAuthMethod !== 'none' || origin === 'null') return false
  return client.redirectUris.some((uri) => URL.parse(uri)?.origin === origin)
}

const FOR_BROWSERS = new Set(['authorization', 'resume'])

/** Browsers get a page (`dispatch.ts`), programs JSON (RFC 6749, section 5.2). */
async function renderError(ctx: Context, out: Record<string, string>, cause: Error) {
  if (!FOR_BROWSERS.has(ctx.oidc.route)) return void (ctx.body = out)
  const { error, error_description: description } = out
  const document = cause instanceof InvalidClientMetadata ? cause : undefined
  rememberFailure(ctx.req, { status: ctx.status, error, description, document })
  ctx.respond = false
}

/** Logout tokens are sent by `backchannel/send_logout_token.ts`. */
async function sendNothing() {
  throw new Error('The OpenID provider has no request to send')
}
