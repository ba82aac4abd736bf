import { createDecoder, createSigner, createVerifier } from 'fast-jwt'
import { LRUCache } from 'lru-cache'
import { Keyring } from './keyring.ts'
import {
  hasValidStandardClaims,
  isCurrent,
  REQUIRED_CLAIMS,
  VERIFIED_TOKENS,
  type StandardClaims,
} from '#auth/signing_keys/claims'

interface JwtOptions {
  /** `typ` header (RFC 8725, section 3.11): a refresh token can never pass as an access token. */
  type: 'at+jwt' | 'rt+jwt' | 'dt+jwt'
  secrets: string[]
  ttlMs: number
  /** `iss` and `aud`, the same at every installation (`config/app.ts`): the secrets tell them apart. */
  issuer: string
  /** `aud` beside `issuer`, of tokens that are issued elsewhere. */
  otherAudiences?: string[]
  /** Whether a token is refused that lives longer than `ttlMs`, whoever signed it. */
  isBoundToTtl: boolean
  /** Whether the private claims are what `issue` was given; a stranger's are never looked up. */
  hasValidClaims: (claims: any) => boolean
}

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

  constructor(options: JwtOptions) {
    const { secrets, ttlMs, isBoundToTtl, hasValidClaims } = options
    this.#hasValidClaims = hasValidClaims
    const keyring = new Keyring(secrets)
    this.ttlSeconds = Math.floor(ttlMs / 1_000)
    this.#longestLife = isBoundToTtl ? this.ttlSeconds : Infinity
    this.#sign = signerOf(keyring, options)
    this.#verifiers = new Map(
      keyring.entries().map(([kid, key]) => [kid, verifierOf(key, options)])
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
    if (!claims || !isCurrent(claims, this.#longestLife)) return null
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

  #isValid(claims: Claims & StandardClaims) {
    return hasValidStandardClaims(claims) && this.#hasValidClaims(claims)
  }
}

type Headers = Pick<JwtOptions, 'type' | 'issuer' | 'otherAudiences'>

function signerOf({ secret: key, kid }: Keyring, { type, issuer }: Headers) {
  const header = { typ: type, alg: 'HS256' } as const
  return createSigner({ algorithm: 'HS256', key, kid, header, iss: issuer, aud: issuer })
}

function verifierOf(key: string, { type, issuer, otherAudiences = [] }: Headers) {
  return createVerifier({
    key,
    algorithms: ['HS256'],
    checkTyp: type,
    allowedIss: issuer,
    allowedAud: [issuer, ...otherAudiences],
    requiredClaims: REQUIRED_CLAIMS,
    /** `verify` compares it, at each request: a revoked token is read although it expired. */
    ignoreExpiration: true,
  })
}
