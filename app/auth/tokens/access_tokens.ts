import { randomUUID } from 'node:crypto'
import { validate as isUuid } from 'uuid'
import tokens from '#config/tokens'
import { issuer } from '#config/app'
import signingKeys from '#config/signing_keys'
import { KeyPairJwt } from '#auth/signing_keys/key_pair_jwt'
import { Jwt } from './jwt.ts'

export interface AccessClaims {
  /** An application needs the scope `email`; a service account has no address. */
  email?: string
  role?: string
  /** Only in the tokens of an application (RFC 9068). */
  client_id?: string
  scope?: string
  /** The key of the client that the token is bound to (RFC 7800). */
  cnf?: object
  /** Hash of the user data that `TOKEN_CLAIMS` read; only in a token of our own sign-in. */
  claims_hash?: string
}

export interface TokenSubject {
  id: string
  email: string
  role: string
}

const jwt = new Jwt<AccessClaims>({
  type: 'at+jwt',
  secrets: tokens.accessSecrets,
  ttlMs: tokens.accessTtlMs,
  issuer,
  otherAudiences: [signingKeys.clientAudience],
  isBoundToTtl: true,
  hasValidClaims,
})

/** Other services also verify these tokens (`ACCESS_TOKEN_ALGORITHM`). */
const keyPairJwt = new KeyPairJwt<AccessClaims>({ ttlSeconds: jwt.ttlSeconds, hasValidClaims })

type AllClaims = AccessClaims & { jti: string; aud: string }

// The audience names the recipient: an application's token cannot pass as the user's.
function hasValidClaims({ jti, aud, ...claims }: AllClaims) {
  const isOfClient = claims.client_id !== undefined
  if (!isUuid(sessionOf({ jti })) || (aud === signingKeys.clientAudience) !== isOfClient)
    return false
  return isOfClient ? hasValidClient(claims) : isText(claims.email) && isText(claims.role)
}

// The API cannot read the proof of a bound key, so it refuses a bound token.
function hasValidClient({ cnf, ...claims }: AccessClaims) {
  const texts = [claims.client_id, claims.scope, claims.email, claims.role]
  return cnf === undefined && texts.every((each) => each === undefined || isText(each))
}

function isText(value: unknown) {
  return typeof value === 'string'
}

/** The lifetime in seconds. */
export const accessTokenTtl = jwt.ttlSeconds

/** `jti` is `<sessionId>.<random>`. Call it outside of a transaction: it may read a key pair. */
export async function issueAccessToken(
  { id, email, role }: TokenSubject,
  sessionId: string,
  added: object = {}
) {
  const claims = { ...added, sub: id, email, role, jti: `${sessionId}.${randomUUID()}` }
  return signingKeys.algorithm === 'HS256' ? jwt.issue(claims) : keyPairJwt.issue(claims)
}

/** Accepts both algorithms, because tokens from before a switch are valid until they expire. */
export function verifyAccessToken(token: string) {
  return jwt.verify(token) ?? keyPairJwt.verify(token)
}

export async function readAccessToken(token: string) {
  return jwt.verifySignature(token) ?? keyPairJwt.verifySignature(token)
}

export function sessionOf(claims: { jti: string }) {
  return claims.jti.slice(0, claims.jti.indexOf('.'))
}
