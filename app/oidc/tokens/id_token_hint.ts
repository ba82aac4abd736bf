import { compactVerify, decodeJwt, decodeProtectedHeader } from 'jose'
import { errors } from 'oidc-provider'
import settings from '#config/oidc'
import { nullIfInvalid } from '#exceptions/dependency_failures'
import { findIdentityKey } from '#auth/signing_keys/jws_signer'

export interface IdTokenHint {
  sub: string
  aud: string
  sid?: string
}

/** Accepts expired tokens (OpenID Connect Core, section 3.1.2.1). @throws invalid_request */
export async function verifyIdTokenHint(jwt: string, clientId?: string): Promise<IdTokenHint> {
  const payload = await verified(jwt).catch(nullIfInvalid)
  const isOurs = payload?.iss === settings.issuer && typeof payload.aud === 'string'
  const isMeant = clientId === undefined || payload?.aud === clientId
  if (!isOurs || !isMeant || typeof payload.sub !== 'string') {
    throw new errors.InvalidRequest('could not validate id_token_hint')
  }
  const { sub, aud, sid } = payload as unknown as IdTokenHint
  return { sub, aud: String(aud), sid }
}

async function verified(jwt: string) {
  const { kid, typ } = decodeProtectedHeader(jwt)
  const key = await findIdentityKey(kid)
  if (!key || (typ !== undefined && typ !== 'JWT')) return null
  await compactVerify(jwt, key.publicKey, { algorithms: [key.algorithm] })
  return decodeJwt(jwt)
}
