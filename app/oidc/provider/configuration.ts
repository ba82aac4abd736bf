import type { Client, Context } from 'oidc-provider'
import settings from '#config/oidc'
import { ADVERTISED_PATHS, PROVIDER_ROUTES } from '#start/routes/oauth'
import { ACR_VALUES } from './acr.ts'
import { CLAIMS, findAccount } from '#oidc/tokens/accounts'
import { GRANT_TYPES, IDENTITY_SCOPES } from '#oidc/clients/client'
import { OWN_METADATA } from '#oidc/clients/metadata'
import { InvalidClientMetadata } from '#oidc/client_id_metadata/invalid_client_metadata'
import { rememberFailure } from './failures.ts'
import { rotateRefreshToken } from './rotate_refresh_token.ts'
import { buildPolicy } from './policy.ts'
import { customizeJwt } from '#oidc/tokens/access_tokens'
import { defaultResource, getResourceServer } from '#oidc/tokens/resource_servers'
import { revokeStored } from '#oidc/tokens/revocation'
import { DatabaseAdapter } from './adapter.ts'
import { reportReuse } from '#oidc/grants/reuse'

/** The settings of the library. What is not named here is off (`docs/openid-provider.md`). */
export function configuration() {
  return {
    adapter: DatabaseAdapter,
    acrValues: ACR_VALUES,
    claims: CLAIMS,
    clientAuthMethods: ['client_secret_basic', 'client_secret_post', 'none'],
    clientBasedCORS: mayCallFrom,
    clientDefaults: { id_token_signed_response_alg: 'ES256' },
    clockTolerance: 0,
    /** Clients such as oauth2-proxy read the address in the ID token. */
    conformIdTokenClaims: false,
    allowOmittingSingleRegisteredRedirectUri: false,
    enabledJWA: { idTokenSigningAlgValues: ['ES256'] },
    extraClientMetadata: { properties: [...OWN_METADATA] },
    /** A token ends with the session of its grant, which is listed, and with no other. */
    expiresWithSession: () => false,
    features: features(),
    findAccount,
    formats: { customizers: { jwt: customizeJwt } },
    grantTypes: GRANT_TYPES,
    interactions: { policy: buildPolicy(), url: interactionUrl },
    pkce: { required: () => true },
    renderError,
    responseTypes: ['code'],
    revokeGrantPolicy: reportReuse,
    rotateRefreshToken,
    routes: { ...ADVERTISED_PATHS, ...ownPaths() },
    scopes: [...IDENTITY_SCOPES],
    subjectTypes: ['public'],
    ttl: lifetimes(),
    fetch: sendNothing,
  }
}

/** The library makes the others itself: discovery, its metadata and `resume`. */
function ownPaths() {
  const { discovery, metadata, resume, ...own } = PROVIDER_ROUTES
  return Object.fromEntries(Object.entries(own).map(([name, { path }]) => [name, path]))
}

/** Experimental features name the version that was reviewed. */
function features() {
  return {
    devInteractions: { enabled: false },
    backchannelLogout: { enabled: true },
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
      /** A client that named a service when it asked the person gets the token for that. */
      useGrantedResource: async () => true,
    },
    revocation: { enabled: true, allowedPolicy: revokeStored },
    rpInitiatedLogout: { enabled: true },
    userinfo: { enabled: true },
  }
}

interface WithExpiry {
  exp?: number
}

/** A grant, and its refresh tokens, live as long as their session. */
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
    /** Never stored: it is the web session. */
    Session: settings.interactionSeconds,
  }
}

/** The languages that the client asks for are those of our pages, too. */
async function interactionUrl({ oidc }: Context, { uid }: { uid: string }) {
  const { ui_locales: locales } = oidc.params
  const query = locales ? `?${new URLSearchParams({ ui_locales: locales })}` : ''
  return `/oauth/interaction/${uid}${query}`
}

/** Web pages of public clients call from the origins of their redirect addresses. */
function mayCallFrom(_ctx: Context, origin: string, client: Client) {
  if (client.clientAuthMethod !== 'none' || origin === 'null') return false
  return client.redirectUris.some((uri) => URL.parse(uri)?.origin === origin)
}

/** What browsers are led to. Everything else is asked by programs, whatever they accept. */
const FOR_PEOPLE = new Set(['authorization', 'resume'])

/** A page of ours shows it (`app/oidc/provider/dispatch.ts`); programs get JSON (RFC 6749, section 5.2). */
async function renderError(ctx: Context, out: Record<string, string>, cause: Error) {
  if (!FOR_PEOPLE.has(ctx.oidc.route)) return void (ctx.body = out)
  const { error, error_description: description } = out
  const document = cause instanceof InvalidClientMetadata ? cause : undefined
  rememberFailure(ctx.req, { status: ctx.status, error, description, document })
  ctx.respond = false
}

/** The library sends no requests: a logout is told by `backchannel/tell_logout.ts`. */
async function sendNothing() {
  throw new Error('The library of the OpenID provider has no request to send')
}
