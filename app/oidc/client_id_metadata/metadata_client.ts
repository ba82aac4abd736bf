import { DEFAULT_SCOPES, type ClientScope, type OAuthClient } from '#oidc/clients/client'
import { DEFAULTS } from '#oidc/clients/client_fields'
import { isLoopback, parseStrictly } from '#oidc/clients/redirect_uris'
import { ID_TOKEN_ALGORITHMS } from '#auth/signing_keys/signing_key'
import { isDisplayName } from '#models/display_name'
import limits from '#config/limits'
import settings from '#config/oidc'
import { InvalidClientMetadata, type InvalidMetadataReason } from './invalid_client_metadata.ts'

/* An attacker can write a document: every member is picked and checked. */

export type MetadataClient = OAuthClient & { claimedName: string | null }

type Members = Record<string, unknown>

export function toMetadataClient(url: URL, text: string, readAt: number): MetadataClient {
  const members = parse(text)
  const reason = members ? invalidReason(url, members) : 'not_json'
  if (reason || !members) throw new InvalidClientMetadata(reason!, url.host)
  return {
    ...INVARIABLE,
    id: url.href,
    clientId: url.href,
    /** The owner of a document chooses any name, but not the host. */
    name: url.host,
    claimedName: (members.client_name as string | undefined) ?? null,
    redirectUris: redirectUrisOf(url, members),
    grantTypes: grantTypesOf(members),
    scopes: scopesOf(members),
    idTokenAlgorithm: idTokenAlgorithmOf(members),
    createdAt: readAt,
    updatedAt: readAt,
  }
}

const INVARIABLE = {
  ...DEFAULTS,
  /** `OIDC_ACCESS` applies only to registered clients. */
  access: 'everybody',
  allowedGroupIds: [],
  deletedGroupIds: [],
  logo: null,
  kind: 'third_party',
  tokenEndpointAuthMethod: 'none',
  requirePkce: true,
  requireVerifiedEmail: false,
  secretHash: null,
  previousSecretHash: null,
  previousSecretUntil: null,
  secretDigest: null,
} satisfies Partial<OAuthClient>

function parse(text: string): Members | null {
  try {
    const parsed: unknown = JSON.parse(text)
    const isObject = typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed)
    return isObject ? (parsed as Members) : null
  } catch {
    return null
  }
}

function invalidReason(url: URL, members: Members): InvalidMetadataReason | null {
  if (members.client_id !== url.href) return 'client_id'
  if (hasSecret(members)) return 'secret'
  if (!hasUsableName(members)) return 'name'
  if (!allowsCode(members)) return 'grant_types'
  return redirectUrisOf(url, members).length === 0 ? 'redirect_uris' : null
}

function hasSecret(members: Members) {
  const { token_endpoint_auth_method: method = 'none' } = members
  const named = ['client_secret', 'client_secret_expires_at']
  return method !== 'none' || named.some((name) => Object.hasOwn(members, name))
}

function hasUsableName({ client_name: name }: Members) {
  if (name === undefined) return true
  if (typeof name !== 'string' || name.trim() === '') return false
  return name.length <= limits.displayName && isDisplayName(name)
}

/** RFC 7591, section 2, defines the defaults. */
function allowsCode({ grant_types: grants, response_types: responses }: Members) {
  return includes(grants, 'authorization_code') && includes(responses, 'code')
}

function includes(values: unknown, value: string) {
  return values === undefined || (Array.isArray(values) && values.includes(value))
}

/** No device codes: an attacker who sends one to a victim could choose the name on the page. */
function grantTypesOf({ grant_types: grants }: Members): OAuthClient['grantTypes'] {
  const refreshes = Array.isArray(grants) && grants.includes('refresh_token')
  return refreshes ? ['authorization_code', 'refresh_token'] : ['authorization_code']
}

/** A document may also serve other servers, whose addresses are left out. */
function redirectUrisOf(url: URL, { redirect_uris: uris }: Members) {
  const given = Array.isArray(uris) ? uris : []
  return given.filter((uri) => typeof uri === 'string' && isRedirectUriOf(url, uri))
}

/** A page of the client's own origin, or an app on the user's computer (RFC 8252). */
function isRedirectUriOf({ origin }: URL, uri: string) {
  const url = parseStrictly(uri)
  if (url?.protocol === 'http:') return isLoopback(url)
  return url?.protocol === 'https:' && url.origin === origin
}

/** Another value is replaced by the default of OpenID Connect Registration (RFC 7591, section 2). */
function idTokenAlgorithmOf({ id_token_signed_response_alg: algorithm }: Members) {
  return ID_TOKEN_ALGORITHMS.find((each) => each === algorithm) ?? 'RS256'
}

function scopesOf({ scope }: Members): ClientScope[] {
  const allowed = [...DEFAULT_SCOPES, ...settings.documents.scopes] as ClientScope[]
  const asked = typeof scope === 'string' ? scope.split(' ') : allowed
  return allowed.filter((each) => asked.includes(each))
}
