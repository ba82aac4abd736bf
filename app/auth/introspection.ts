import { isPlaceholder } from '#models/email'
import { effectiveScopes, findActiveKey } from '#auth/api_keys/key_caller'
import { isKey } from '#auth/api_keys/key_format'
import { PROFILE_SCOPE } from '#auth/api_keys/route_scopes'
import store from '#auth/store/service'
import { sessionOf, verifyAccessToken, type AccessClaims } from '#auth/tokens/access_tokens'
import { hasCurrentClaims } from '#auth/tokens/current_claims'
import { currentScopes, findClientAccess } from '#auth/tokens/client_access'
import { isRememberedAsDeleted } from '#auth/tokens/deleted_clients'

/** RFC 7662, section 2.2: an inactive token says nothing else about itself. */
export type Introspection = { active: false } | ActiveToken | ActiveKey

export interface ActiveToken {
  active: true
  /** `DPoP` for a token that is bound to a key of its client (RFC 9449, section 6.2). */
  token_type: 'Bearer' | 'DPoP'
  cnf?: { jkt: string }
  /** The session (OpenID Connect Front-Channel Logout, section 3). */
  sid: string
  sub: string
  email?: string
  role?: string
  jti?: string
  iat: number
  exp: number
  iss: string
  /** Missing in a token for `/oauth/userinfo`. */
  aud?: string
  client_id?: string
  scope?: string
}

export interface ActiveKey {
  active: true
  token_type: 'Bearer'
  scope: string
  sub: string
  /** Missing for a service account. */
  email?: string
  role: string
  /** The id of the key. */
  jti: string
  exp: number
}

/**
 * Asks the store, because a signature does not show a logout, a revocation or a disabled user.
 * Call it within `underOneConfiguration`.
 */
export async function introspectToken(token: string): Promise<Introspection> {
  const found = isKey(token) ? await findKey(token) : await findToken(token)
  return found ?? { active: false }
}

async function findToken(text: string): Promise<ActiveToken | null> {
  const claims = await verifyAccessToken(text)
  if (!claims || (await isRememberedAsDeleted(claims.client_id))) return null
  const sid = sessionOf(claims)
  const reference = { userId: claims.sub, sessionId: sid, tokenId: claims.jti }
  const status = await store.tokenStatus(reference, Date.now())
  if (!status.isActive) return null
  const { userVersion } = status
  if (!(await hasCurrentClaims(claims, userVersion))) return null
  const { sub, email, role, jti, iat, exp, iss, aud, client_id: clientId } = claims
  const token = { active: true, token_type: 'Bearer', sid, sub, email, role } as const
  const about = { ...token, jti, iat, exp, iss, aud }
  if (clientId === undefined) return about
  const access = await findClientAccess({ ...reference, clientId, userVersion })
  return access && { ...about, ...shownNow(claims, currentScopes(access, claims.scope)) }
}

/** Hides a claim as soon as the client has lost the scope that showed it. */
function shownNow({ client_id, scope, email, role }: AccessClaims, scopes: string[]) {
  return {
    client_id,
    scope: scope && scopes.join(' '),
    email: scopes.includes('email') ? email : undefined,
    role: scopes.includes('profile') ? role : undefined,
  }
}

async function findKey(key: string): Promise<ActiveKey | null> {
  const row = await findActiveKey(key, Date.now())
  const scopes = row ? effectiveScopes(row) : []
  if (!row || !scopes.includes(PROFILE_SCOPE)) return null
  const { id: jti, user_id: sub, email, role } = row
  const exp = Math.floor(row.expires_at / 1_000)
  const owner = { sub, ...(!isPlaceholder(email) && { email }), role }
  return { active: true, token_type: 'Bearer', scope: scopes.join(' '), ...owner, jti, exp }
}
