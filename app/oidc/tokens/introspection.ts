import { compactVerify, decodeJwt, decodeProtectedHeader } from 'jose'
import { validate as isUuid } from 'uuid'
import settings from '#config/oidc'
import { nullIfInvalid } from '#exceptions/dependency_failures'
import store from '#auth/store/service'
import { underOneConfiguration } from '#database/configuration_version'
import { findIdentityKey } from '#auth/signing_keys/jws_signer'
import { currentScopes } from '#auth/tokens/client_access'
import { isRememberedAsDeleted } from '#auth/tokens/deleted_clients'
import { introspectToken, type ActiveToken, type Introspection } from '#auth/introspection'
import { findTokenAccess } from './client_access.ts'
import { isEligible } from './remembered_users.ts'
import { openToken } from './sealed_tokens.ts'
import type { SealedToken } from './token_bytes.ts'
import { isOwnAudience } from '#oidc/clients/own_audiences'
import { findRecord } from '#oidc/records/record_rows'
import type { OAuthClient } from '#oidc/clients/client'

/* A token is active while its session is active (RFC 7662). */

interface Claims {
  sub: string
  sessionId: string
  tokenId: string
  shown: Omit<ActiveToken, 'active' | 'sid' | 'sub'>
}

export function introspect(token: string, asking?: OAuthClient): Promise<Introspection> {
  const read = () => store.readConfiguration()
  return underOneConfiguration(read, () => findIntrospection(token, asking))
}

/**
 * A client learns of its own tokens and of tokens meant for it (RFC 7662, section 4). Opaque tokens
 * are for `/oauth/userinfo`: accepted as a sign-in, they would let any application in. For work
 * `underOneConfiguration`.
 */
export async function findIntrospection(
  token: string,
  asking?: OAuthClient
): Promise<Introspection> {
  const found = await findToken(token)
  return found.active && mayIntrospect(found, asking) ? found : { active: false }
}

async function findToken(token: string): Promise<Introspection> {
  const sealed = settings.isOn ? openToken(token) : null
  if (sealed) return findActive(claimsOfSealed(sealed))
  const ofApi = await introspectToken(token)
  if (ofApi.active || !settings.isOn) return ofApi
  const claims = (await claimsOfJwt(token)) ?? (await readStored(token))
  return claims ? findActive(claims) : { active: false }
}

async function findActive(claims: Claims): Promise<Introspection> {
  if (!isUuid(claims.sub) || !isUuid(claims.sessionId)) return { active: false }
  if (await isRememberedAsDeleted(claims.shown.client_id)) return { active: false }
  const { sub, sessionId: sid, tokenId } = claims
  const reference = { userId: sub, sessionId: sid, tokenId }
  const status = await store.tokenStatus(reference, Date.now())
  if (!status.isActive) return { active: false }
  const { userVersion } = status
  const holder = { ...reference, clientId: claims.shown.client_id! }
  if (!(await isEligible(holder, userVersion))) return { active: false }
  const access = await findTokenAccess({ ...holder, userVersion })
  if (!access) return { active: false }
  const { scope } = claims.shown
  const current = scope && currentScopes(access, scope).join(' ')
  return { active: true, sid, sub, ...claims.shown, scope: current }
}

function mayIntrospect(found: Introspection, asking?: OAuthClient) {
  const { aud, client_id: clientId } = found as Partial<ActiveToken>
  if (!asking) return clientId === undefined || aud !== undefined
  return clientId === asking.clientId || (aud !== undefined && isAudience(asking, aud))
}

/** A service is named by its client id or by the site of its redirect addresses. */
function isAudience({ clientId, redirectUris }: OAuthClient, aud: string) {
  if (isOwnAudience(aud)) return false
  const { protocol, origin } = URL.parse(aud) ?? {}
  const isSite = protocol === 'https:' && redirectUris.some((uri) => new URL(uri).origin === origin)
  return aud === clientId || isSite
}

export async function readJwt(token: string): Promise<Record<string, any> | null> {
  const payload = await verified(token).catch(nullIfInvalid)
  if (!payload || payload.iss !== settings.issuer) return null
  if (Number(payload.exp) * 1_000 <= Date.now()) return null
  return payload
}

async function claimsOfJwt(token: string): Promise<Claims | null> {
  const payload = await readJwt(token)
  if (!payload) return null
  const { sub, cnf, ...claims } = payload
  const { jti, iat, exp, iss, aud, client_id: clientId, scope } = claims
  const shown = { jti, iat, exp, iss, aud, client_id: clientId, scope, ...binding(cnf?.jkt) }
  return { sub, sessionId: jti.split('.')[0], tokenId: jti, shown }
}

function binding(jkt?: string) {
  return jkt ? { token_type: 'DPoP' as const, cnf: { jkt } } : { token_type: 'Bearer' as const }
}

async function verified(token: string) {
  const { kid, typ } = decodeProtectedHeader(token)
  const key = await findIdentityKey(kid)
  if (!key || typ !== 'at+jwt') return null
  await compactVerify(token, key.publicKey, { algorithms: [key.algorithm] })
  return decodeJwt(token)
}

function claimsOfSealed({ userId, sessionId, tokenId, ...token }: SealedToken): Claims {
  const { iat, exp, clientId, scope, jkt } = token
  const shown = { iat, exp, iss: settings.issuer, client_id: clientId, scope, ...binding(jkt) }
  return { sub: userId, sessionId, tokenId, shown }
}

async function readStored(token: string): Promise<Claims | null> {
  const record = await findRecord({ kind: 'AccessToken', id: token })
  if (!record) return null
  const { accountId: sub, grantId, clientId, scope, iat, exp, jkt } = JSON.parse(record.payload)
  const shown = { iat, exp, iss: settings.issuer, client_id: clientId, scope, ...binding(jkt) }
  return { sub, sessionId: grantId, tokenId: `${grantId}.opaque`, shown }
}
