import { compactVerify, decodeJwt, decodeProtectedHeader } from 'jose'
import { validate as isUuid } from 'uuid'
import settings from '#config/oidc'
import store from '#auth/store/service'
import { findPublicKey } from '#auth/signing_keys/jws_signer'
import { introspectToken, type ActiveToken, type Introspection } from '#auth/tokens/introspection'
import { findHolder } from './accounts.ts'
import { findRecord } from './storage/record_rows.ts'

/*
 | What a service asks about a token (RFC 7662), whichever of ours it is: of the API, of
 | another service, or an opaque one. All are active while their session is.
 */

interface Claims {
  sub: string
  sessionId: string
  tokenId: string
  shown: Omit<ActiveToken, 'active' | 'token_type' | 'sid' | 'sub'>
}

export async function introspect(token: string): Promise<Introspection> {
  const ofApi = await introspectToken(token)
  if (ofApi.active || !settings.isOn) return ofApi
  const claims = (await readJwt(token)) ?? (await readOpaque(token))
  if (!claims || !isUuid(claims.sub) || !isUuid(claims.sessionId)) return { active: false }
  const { sub, sessionId: sid, tokenId } = claims
  const reference = { userId: sub, sessionId: sid, tokenId }
  const { isActive } = await store.tokenStatus(reference, Date.now())
  return isActive && (await findHolder(sub))
    ? { active: true, token_type: 'Bearer', sid, sub, ...claims.shown }
    : { active: false }
}

/** A token for another service, signed by the key of ID tokens. */
async function readJwt(token: string): Promise<Claims | null> {
  const payload = await verified(token).catch(() => null)
  if (!payload || payload.iss !== settings.issuer) return null
  if (Number(payload.exp) * 1_000 <= Date.now()) return null
  const {
    sub,
    jti,
    iat,
    exp,
    iss,
    aud,
    client_id: clientId,
    scope,
  } = payload as Record<string, any>
  const shown = { jti, iat, exp, iss, aud, client_id: clientId, scope }
  return { sub, sessionId: jti.split('.')[0], tokenId: jti, shown }
}

async function verified(token: string) {
  const { kid, typ } = decodeProtectedHeader(token)
  const key = await findPublicKey(kid)
  if (!key || typ !== 'at+jwt') return null
  await compactVerify(token, key, { algorithms: ['ES256'] })
  return decodeJwt(token)
}

/** A token for `/oauth/userinfo`. */
async function readOpaque(token: string): Promise<Claims | null> {
  const record = await findRecord({ kind: 'AccessToken', id: token })
  if (!record) return null
  const { accountId: sub, grantId, clientId, scope, iat, exp } = JSON.parse(record.payload)
  const shown = { iat, exp, iss: settings.issuer, client_id: clientId, scope }
  return { sub, sessionId: grantId, tokenId: `${grantId}.opaque`, shown }
}
