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
  /** A refresh token cannot pass as an access token (RFC 8725, section 3.11). */
  type: 'at+jwt' | 'rt+jwt' | 'dt+jwt'
  secrets: string[]
  ttlMs: number
  /** The same at every installation (`config/app.ts`): the secrets distinguish installations. */
  issuer: string
  otherAudiences?: string[]
  /** Refuses a token that lives longer than `ttlMs`, even one with a right signature. */
  isBoundToTtl: boolean
  /** Checks ids before any look-up, so that forged ids are never looked up. */
  hasValidClaims: (claims: any) => boolean
}

const decodeHeader = createDecoder({ complete: true })

/** HS256 only: a header must not choose the algorithm, such as `none` (RFC 8725, section 3.1). */
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

  /** Times are milliseconds since the epoch; `expiresAt` defaults to the whole TTL. */
  issue(
    claims: Claims & { sub: string; jti: string },
    { at = Date.now(), expiresAt }: { at?: number; expiresAt?: number } = {}
  ) {
    const iat = Math.floor(at / 1_000)
    const exp = expiresAt ? Math.floor(expiresAt / 1_000) : iat + this.ttlSeconds
    return this.#sign({ ...claims, iat, exp })
  }

  /** Returns null for any text but a genuine, current token. */
  verify(token: string): (Claims & StandardClaims) | null {
    const verified = this.#verified.get(token)
    if (verified) return verified.exp * 1_000 > Date.now() ? verified : null
    const claims = this.#verifyUncached(token)
    if (!claims || !isCurrent(claims, this.#longestLife)) return null
    this.#verified.set(token, claims)
    return claims
  }

  /** Also reads expired tokens. Returns null for any other text. */
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
    // `verify` compares the expiry on each request, because a revocation also reads expired tokens.
    ignoreExpiration: true,
  })
}
