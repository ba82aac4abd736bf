import { createDecoder } from 'fast-jwt'
import { LRUCache } from 'lru-cache'
import settings from '#config/signing_keys'
import {
  hasValidStandardClaims,
  isCurrent,
  VERIFIED_TOKENS,
  type StandardClaims,
} from './claims.ts'
import { signWithKeyPair } from './signer.ts'
import { TOKEN_TYPE } from './signing_key.ts'
import { findVerifier, type KeyReference } from './verifiers.ts'

interface KeyPairJwtOptions {
  ttlSeconds: number
  hasValidClaims: (claims: any) => boolean
}

type Verified<Claims> = Claims & StandardClaims

const decodeHeader = createDecoder({ complete: true })

// Addresses and keys in a header (`jku`, `jwk`, `x5u`) are not used (RFC 8725, section 3.10).
const HEADER_MEMBERS = new Set(['alg', 'typ', 'kid'])

// A key id is a SHA-256 thumbprint in base64url.
const KID = /^[\w-]{43}$/

/** Other services verify these tokens without a secret. */
export class KeyPairJwt<Claims extends object> {
  readonly #verified = new LRUCache<string, { claims: Verified<Claims>; key: KeyReference }>({
    max: VERIFIED_TOKENS,
  })

  constructor(readonly options: KeyPairJwtOptions) {}

  async issue(claims: Claims & { sub: string; jti: string }) {
    const iat = Math.floor(Date.now() / 1_000)
    const exp = iat + this.options.ttlSeconds
    const { issuer: iss, audience: aud } = settings
    return signWithKeyPair({ iss, aud, ...claims, iat, exp })
  }

  /** Returns null without a promise for another kind of token, so that HS256 tokens never wait. */
  verify(token: string): Promise<Verified<Claims> | null> | null {
    const cached = this.#verified.get(token)
    const key = cached?.key ?? this.#keyReferenceOf(token)
    return key && this.#verifyCurrent(token, key)
  }

  async verifySignature(token: string): Promise<Verified<Claims> | null> {
    const key = this.#keyReferenceOf(token)
    const verifier = key && (await findVerifier(key, { isExpiredGood: true }))
    return verifier ? this.#verifyWith(verifier, token) : null
  }

  async #verifyCurrent(token: string, key: KeyReference) {
    const verifier = await findVerifier(key)
    const verified = this.#verified.get(token)
    const claims = verifier && (verified?.claims ?? this.#verifyWith(verifier, token))
    if (!claims || !isCurrent(claims, this.options.ttlSeconds)) return null
    if (!verified) this.#verified.set(token, { claims, key })
    return claims
  }

  #keyReferenceOf(token: string): KeyReference | null {
    try {
      const { header } = decodeHeader(token)
      const { alg: algorithm, typ: type, kid } = header
      const isOurs = Object.keys(header).every((member) => HEADER_MEMBERS.has(member))
      if (!isOurs || type !== TOKEN_TYPE || !KID.test(kid)) return null
      return algorithm === 'ES256' || algorithm === 'EdDSA' ? { kid, algorithm } : null
    } catch {
      return null
    }
  }

  #verifyWith(verifier: (token: string) => any, token: string): Verified<Claims> | null {
    try {
      const claims = verifier(token)
      return hasValidStandardClaims(claims) && this.options.hasValidClaims(claims) ? claims : null
    } catch {
      return null
    }
  }
}
