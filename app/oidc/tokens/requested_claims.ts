import { errors, type Client, type Context } from 'oidc-provider'
import limits from '#config/limits'
import { assertKnownAcr } from './acr.ts'
import { CLAIMS } from './claims.ts'
import { identityScopes } from './resource_servers.ts'

/*
 | The parameter `claims` (OpenID Connect Core, section 5.5). A claim is treated like the scope that
 | it belongs to: the client must have that scope, and the user consents to it.
 */

const SCOPE_OF = new Map(
  Object.entries(CLAIMS).flatMap(([scope, claims]) => claims.map((claim) => [claim, scope]))
)

interface ClaimRequest {
  essential?: unknown
  value?: unknown
  values?: unknown
}

type Claims = Record<string, ClaimRequest | null>

interface RequestedClaims {
  userinfo?: Claims
  id_token?: Claims
}

interface AuthorizationParameters {
  claims?: string
}

/** Leaves out claims that the client may not have, before anything is stored. */
export async function limitClaims(ctx: Context, asked: RequestedClaims, client: Client) {
  const { params } = ctx.oidc
  if (params.claims.length > limits.claimsParameter) {
    throw new errors.InvalidRequest('the claims parameter is too long')
  }
  const kept = {
    userinfo: limited(asked.userinfo, client),
    id_token: limited(asked.id_token, client),
  }
  assertKnownAcr(kept.id_token.acr)
  params.claims = JSON.stringify(kept)
}

function limited(claims: Claims = {}, client: Client): Claims {
  const scopes = identityScopes(client)
  const kept = Object.entries(claims).filter(([name, request]) => {
    return isClaimRequest(request) && scopes.includes(SCOPE_OF.get(name) ?? '')
  })
  return Object.fromEntries(kept)
}

function isClaimRequest(request: unknown) {
  return typeof request === 'object' && !Array.isArray(request)
}

function parse({ claims }: AuthorizationParameters): RequestedClaims {
  return claims ? JSON.parse(claims) : {}
}

/** Returns the claims that need a scope: every ID token contains the claims of `openid`. */
export function requestedClaims(params: AuthorizationParameters, client: Client) {
  const { userinfo = {}, id_token: idToken = {} } = parse(params)
  const names = [...new Set([...Object.keys(userinfo), ...Object.keys(idToken)])]
  return within(names, client).filter((name) => SCOPE_OF.get(name) !== 'openid')
}

/** The client may have lost a scope since the request. */
export function within(claims: string[], client: Client) {
  const scopes = identityScopes(client)
  return claims.filter((name) => scopes.includes(SCOPE_OF.get(name) ?? ''))
}

export function scopesOfClaims(claims: string[]) {
  return [...new Set(claims.map((name) => SCOPE_OF.get(name)!))]
}

/** Returns true if the ID token may not be about this user. */
export function excludesSubject(params: AuthorizationParameters, userId: string) {
  const { sub } = parse(params).id_token ?? {}
  if (!sub || (sub.value === undefined && sub.values === undefined)) return false
  return ![sub.value, sub.values].flat().includes(userId)
}
