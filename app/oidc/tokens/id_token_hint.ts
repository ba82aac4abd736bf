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

export interface ReadHint extends IdTokenHint {
  /** False if its key is no longer known, so that no signature can be compared. */
  isVerified: boolean
}

/** Accepts expired tokens (OpenID Connect Core, section 3.1.2.1). @throws invalid_request */
export async function verifyIdTokenHint(jwt: string, clientId?: string): Promise<IdTokenHint> {
  const hint = await readIdTokenHint(jwt)
  const isMeant = clientId === undefined || hint?.aud === clientId
  if (!hint?.isVerified || !isMeant) {
    throw new errors.InvalidRequest('could not validate id_token_hint')
  }
  const { sub, aud, sid } = hint
  return { sub, aud, sid }
}

/** Returns null for a token that is malformed, forged or of another issuer. */
export async function readIdTokenHint(jwt: string): Promise<ReadHint | null> {
  const read = await verified(jwt).catch(nullIfInvalid)
  if (!read) return null
  const { iss, aud, sub, sid } = read.payload
  const isOurs = iss === settings.issuer && typeof aud === 'string' && typeof sub === 'string'
  if (!isOurs) return null
  return { sub, aud, sid: typeof sid === 'string' ? sid : undefined, isVerified: read.isVerified }
}

async function verified(jwt: string) {
  const { kid, typ } = decodeProtectedHeader(jwt)
  if (typ !== undefined && typ !== 'JWT') return null
  const payload = decodeJwt(jwt)
  const key = await findIdentityKey(kid)
  if (key) await compactVerify(jwt, key.publicKey, { algorithms: [key.algorithm] })
  return { payload, isVerified: key !== null }
}
