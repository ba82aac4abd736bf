import { AsyncLocalStorage } from 'node:async_hooks'
import { createPublicKey, generateKeyPairSync, type KeyObject } from 'node:crypto'
import { ExternalSigningKey } from 'oidc-provider'
import { signingKid, signJws } from '#auth/signing_keys/jws_signer'
import {
  ID_TOKEN_ALGORITHMS,
  identityPurpose,
  type KeyAlgorithm,
} from '#auth/signing_keys/signing_key'

/** Concurrent requests may sign with different keys, so each request has its own key id. */
const currentKid = new AsyncLocalStorage<string>()

/** The id of the signing key goes into the ID token that `issue` composes. */
export async function withIdentityKey<Result>(
  algorithm: KeyAlgorithm,
  issue: () => Promise<Result>
) {
  return currentKid.run(await signingKid(identityPurpose(algorithm)), issue)
}

/** Represents the current signing key, which rotates. Its private part stays in `signing_keys`. */
class ProviderKey extends ExternalSigningKey {
  readonly #placeholder: KeyObject

  constructor(algorithm: KeyAlgorithm) {
    super()
    this.alg = algorithm
    this.#placeholder = PLACEHOLDERS[algorithm]()
  }

  override get kid() {
    return currentKid.getStore() ?? this.alg
  }

  /** A placeholder of the right type: `id_token_hint.ts` verifies tokens. */
  override keyObject() {
    return this.#placeholder
  }

  override sign(data: Buffer) {
    return signJws(data)
  }
}

const PLACEHOLDERS: Record<KeyAlgorithm, () => KeyObject> = {
  RS256: rsaPlaceholder,
  ES256: () => createPublicKey(generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey),
  EdDSA: () => createPublicKey(generateKeyPairSync('ed25519').privateKey),
}

/** Computes no key pair, which would take hundreds of milliseconds. */
function rsaPlaceholder() {
  const n = Buffer.alloc(256, 0xff).toString('base64url')
  return createPublicKey({ key: { kty: 'RSA', e: 'AQAB', n }, format: 'jwk' })
}

/** The header of a token says which signing key of the algorithm is meant. */
export const PROVIDER_KEYS = ID_TOKEN_ALGORITHMS.map((algorithm) => new ProviderKey(algorithm))
