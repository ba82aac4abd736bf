import { createDecoder, createSigner, createVerifier } from 'fast-jwt'
import { LRUCache } from 'lru-cache'
import { validate as isUuid } from 'uuid'
import { Keyring } from './keyring.ts'

/** Claims that every token of the product carries (RFC 7519, section 4.1). */
export interface StandardClaims {
  sub: string
  jti: string
  /** Seconds since the epoch. */
  iat: number
  exp: number
}

interface JwtOptions {
  /** `typ` header (RFC 8725, section 3.11): a refresh token can never pass as an access token. */
  type: 'at+jwt' | 'rt+jwt'
  secrets: string[]
  ttlMs: number
  /** `iss` and `aud`, the same at every installation (`config/app.ts`): the secrets tell them apart. */
  issuer: string
  /** Whether a token is refused that lives longer than `ttlMs`, whoever signed it. */
  isBoundToTtl: boolean
  /** Whether the private claims are what `issue` was given; a stranger's are never looked up. */
  hasValidClaims: (claims: any) => boolean
}

/** The most verified tokens in memory: a token is verified once and not at each request. */
const VERIFIED_TOKENS = 10_000

/** How far the clocks of two servers may differ, in seconds; further ahead, a token is forged. */
const CLOCK_LEEWAY = 60

/** The longest `jti` of ours: a session id, a dot and a UUID. */
const MAX_TOKEN_ID_LENGTH = 128

/** Required, because `allowedIss` and `allowedAud` pass a token that has no such claim. */
const REQUIRED_CLAIMS = ['iss', 'aud', 'sub', 'jti', 'iat', 'exp']

const decodeHeader = createDecoder({ complete: true })

/**
 * Signs and verifies one type of token. HS256 only: an attacker must not be able to choose
 * the algorithm, such as `none`, in the header of the token (RFC 8725, section 3.1).
 */
export class Jwt<Claims extends object> {
  readonly #sign: (claims: object) => string
  readonly #verifiers: Map<string, (token: string) => Claims & StandardClaims>
  readonly #verified = new LRUCache<string, Claims & StandardClaims>({ max: VERIFIED_TOKENS })
  readonly #hasValidClaims: JwtOptions['hasValidClaims']
  readonly #longestLife: number
  readonly ttlSeconds: number

  constructor({ type, secrets, ttlMs, issuer, isBoundToTtl, hasValidClaims }: JwtOptions) {
    this.#hasValidClaims = hasValidClaims
    const keyring = new Keyring(secrets)
    this.ttlSeconds = Math.floor(ttlMs / 1_000)
    this.#longestLife = isBoundToTtl ? this.ttlSeconds : Infinity
    this.#sign = signerOf(keyring, { type, issuer })
    this.#verifiers = new Map(
      keyring.entries().map(([kid, key]) => [kid, verifierOf(key, { type, issuer })])
    )
  }

  /** Both times are milliseconds since the epoch; without `expiresAt` the token lives for its whole TTL. */
  issue(
    claims: Claims & { sub: string; jti: string },
    { at = Date.now(), expiresAt }: { at?: number; expiresAt?: number } = {}
  ) {
    const iat = Math.floor(at / 1_000)
    const exp = expiresAt ? Math.floor(expiresAt / 1_000) : iat + this.ttlSeconds
    return this.#sign({ ...claims, iat, exp })
  }

  /** The claims of a genuine token of this moment, neither expired nor of the future; null for any other string. */
  verify(token: string): (Claims & StandardClaims) | null {
    const verified = this.#verified.get(token)
    if (verified) return verified.exp * 1_000 > Date.now() ? verified : null
    const claims = this.#verifyUncached(token)
    if (!claims || !this.#isCurrent(claims)) return null
    this.#verified.set(token, claims)
    return claims
  }

  /** The claims of a genuine token, expired or not; null for any other string. */
  verifySignature(token: string): (Claims & StandardClaims) | null {
    return this.#verifyUncached(token)
  }

  #verifyUncached(token: string): (Claims & StandardClaims) | null {
    try {
      const claims = this.#verifiers.get(decodeHeader(token).header.kid)?.(token)
      return claims && this.#isValid(claims) ? claims : null
    } catch {
      return null
    }
  }

  /** An attacker who held the secret for a moment must gain no token that outlives it by far. */
  #isCurrent({ iat, exp }: StandardClaims) {
    const now = Date.now() / 1_000
    return iat <= now + CLOCK_LEEWAY && exp > now && exp - iat <= this.#longestLife
  }

  /**
   * Whoever holds a secret of the keyring can sign anything. Ids of another form must not
   * reach the store: Postgres would refuse the query of a whole batch of requests for one.
   */
  #isValid(claims: Claims & StandardClaims) {
    const { sub, jti, iat, exp } = claims
    return (
      Number.isFinite(iat) &&
      Number.isFinite(exp) &&
      isUuid(sub) &&
      typeof jti === 'string' &&
      jti.length <= MAX_TOKEN_ID_LENGTH &&
      this.#hasValidClaims(claims)
    )
  }
}

type Headers = Pick<JwtOptions, 'type' | 'issuer'>

function signerOf({ secret: key, kid }: Keyring, { type, issuer }: Headers) {
  const header = { typ: type, alg: 'HS256' } as const
  return createSigner({ algorithm: 'HS256', key, kid, header, iss: issuer, aud: issuer })
}

function verifierOf(key: string, { type, issuer }: Headers) {
  return createVerifier({
    key,
    algorithms: ['HS256'],
    checkTyp: type,
    allowedIss: issuer,
    allowedAud: issuer,
    requiredClaims: REQUIRED_CLAIMS,
    /** `verify` compares it, at each request: a revoked token is read although it expired. */
    ignoreExpiration: true,
  })
}
