import { randomUUID } from 'node:crypto'
import { validate as isUuid } from 'uuid'
import tokens from '#config/tokens'
import { issuer } from '#config/app'
import signingKeys from '#config/signing_keys'
import { KeyPairJwt } from '#auth/signing_keys/key_pair_jwt'
import { Jwt } from './jwt.ts'

/** The private claims of an access token; `sub` is the user's id. */
export interface AccessClaims {
  /** In the token of an application only with the scope `email`, and never of a service account. */
  email?: string
  /** In the token of an application only with the scope `profile`. */
  role?: string
  /** Of an application (RFC 9068); missing in tokens of our own sign-in. */
  client_id?: string
  scope?: string
  /** The token is bound to a key of its client, which the API does not ask for (RFC 7800). */
  cnf?: object
}

/** The user that a token is issued for. */
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

/** Tokens that other services verify, too (`ACCESS_TOKEN_ALGORITHM`). */
const keyPairJwt = new KeyPairJwt<AccessClaims>({ ttlSeconds: jwt.ttlSeconds, hasValidClaims })

type AllClaims = AccessClaims & { jti: string; aud: string }

/** The audience tells who a token was issued to: an application cannot pass for its person. */
function hasValidClaims({ jti, aud, ...claims }: AllClaims) {
  const isOfClient = claims.client_id !== undefined
  if (!isUuid(sessionOf({ jti })) || (aud === signingKeys.clientAudience) !== isOfClient)
    return false
  return isOfClient ? hasValidClient(claims) : isText(claims.email) && isText(claims.role)
}

/** A token that is bound to a key must not pass without the proof of it, which the API cannot read. */
function hasValidClient({ cnf, ...claims }: AccessClaims) {
  const texts = [claims.client_id, claims.scope, claims.email, claims.role]
  return cnf === undefined && texts.every((each) => each === undefined || isText(each))
}

function isText(value: unknown) {
  return typeof value === 'string'
}

/** Seconds that an access token lives. */
export const accessTokenTtl = jwt.ttlSeconds

/**
 * Issues an access token of a session. Its `jti` is `<sessionId>.<random>`, so that the
 * token names its session without a further claim and is refused once the session ends.
 * Not in a transaction: a key pair may have to be read or reserved first.
 */
export async function issueAccessToken({ id, email, role }: TokenSubject, sessionId: string) {
  const claims = { sub: id, email, role, jti: `${sessionId}.${randomUUID()}` }
  return signingKeys.algorithm === 'HS256' ? jwt.issue(claims) : keyPairJwt.issue(claims)
}

/**
 * The claims of a genuine token of this moment, whichever algorithm is set: tokens of before
 * a switch are good until they expire. Only those of a key pair are a promise.
 */
export function verifyAccessToken(token: string) {
  return jwt.verify(token) ?? keyPairJwt.verify(token)
}

/** The claims of a genuine token, expired or not. */
export async function readAccessToken(token: string) {
  return jwt.verifySignature(token) ?? keyPairJwt.verifySignature(token)
}

/** The session that an access token belongs to. */
export function sessionOf(claims: { jti: string }) {
  return claims.jti.slice(0, claims.jti.indexOf('.'))
}
