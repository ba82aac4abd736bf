import { createPublicKey, type JsonWebKey, type KeyObject } from 'node:crypto'
import limits from '#config/limits'
import { remoteKeys, type PublicJwk } from './remote_keys.ts'
import { isUnchanged } from '#oidc/clients/unchanged_client'
import type { OAuthClient } from '#oidc/clients/client'

export type ClientKeys = Pick<OAuthClient, 'clientId' | 'jwks' | 'jwksUri'>

/** Taken from the header of an assertion. */
export interface WantedKey {
  alg: string
  kid?: string
}

/** The key type and the curve of each algorithm (RFC 7518, RFC 8037). */
const KINDS: Record<string, { kty: string; crv?: string }> = {
  RS256: { kty: 'RSA' },
  PS256: { kty: 'RSA' },
  ES256: { kty: 'EC', crv: 'P-256' },
  ES384: { kty: 'EC', crv: 'P-384' },
  ES512: { kty: 'EC', crv: 'P-521' },
  EdDSA: { kty: 'OKP', crv: 'Ed25519' },
}

/** RFC 9864 gives EdDSA with this curve a name of its own. */
export function canonicalAlgorithm(algorithm: unknown) {
  return algorithm === 'Ed25519' ? 'EdDSA' : algorithm
}

export const ASSERTION_ALGORITHMS = [...Object.keys(KINDS), 'Ed25519']

/** FAPI 2.0 Security Profile, section 5.4. */
export const FAPI_ALGORITHMS = ['PS256', 'ES256', 'EdDSA', 'Ed25519']

/** Without a `kid` each key of the algorithm may have signed. */
export async function findClientKeys(
  { clientId, jwks, jwksUri }: ClientKeys,
  wanted: WantedKey
): Promise<KeyObject[]> {
  const isMeant = (key: PublicJwk) => matches(key, wanted)
  const isStillNamed = () => isUnchanged(clientId, { jwks_uri: jwksUri! })
  const found = jwksUri
    ? await remoteKeys(jwksUri, { isMeant, isStillNamed })
    : (jwks?.keys.filter(isMeant) ?? [])
  return found.slice(0, limits.clientKeys).map(toKeyObject)
}

function matches(key: PublicJwk, { alg, kid }: WantedKey) {
  const algorithm = canonicalAlgorithm(alg) as string
  const kind = KINDS[algorithm]
  const isOfKind = key.kty === kind?.kty && (!kind.crv || key.crv === kind.crv)
  const isForAlgorithm = key.alg === undefined || canonicalAlgorithm(key.alg) === algorithm
  const isForSignatures = key.use === undefined || key.use === 'sig'
  const isNamed = kid === undefined || key.kid === undefined || key.kid === kid
  return isOfKind && isForAlgorithm && isForSignatures && isNamed
}

function toKeyObject(key: PublicJwk) {
  return createPublicKey({ key: key as JsonWebKey, format: 'jwk' })
}
