import tokens from '#config/tokens'
import { findClaimsHash } from '#transformers/user_record_cache'
import type { AccessClaims } from './access_tokens.ts'

type OwnToken = Pick<AccessClaims, 'claims_hash'> & { sub: string }

/** Returns false if the data that `TOKEN_CLAIMS` reads has changed since the token was issued. */
export async function hasCurrentClaims({ sub, claims_hash: hash }: OwnToken, userVersion: string) {
  if (hash === undefined || Object.keys(tokens.claims).length === 0) return true
  return hash === (await findClaimsHash(sub, userVersion))
}
