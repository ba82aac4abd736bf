import { createPublicKey, type JsonWebKey } from 'node:crypto'
import { createVerifier } from 'fast-jwt'
import settings from '#config/signing_keys'
import { REQUIRED_CLAIMS } from './claims.ts'
import { cachedKeys, reloadedKeys } from './cached_keys.ts'
import { TOKEN_TYPE, verifies, type KeyAlgorithm, type SigningKey } from './signing_key.ts'

export interface KeyReference {
  kid: string
  algorithm: KeyAlgorithm
}

type Verifier = (token: string) => any

const verifiers = new Map<string, Verifier>()

/** Uses the algorithm of the key, not of the token (RFC 8725, section 3.1). */
export async function findVerifier(reference: KeyReference, { isExpiredGood = false } = {}) {
  const find = (keys: SigningKey[]) =>
    keys.find((key) => isMeant(key, reference) && (isExpiredGood || verifies(key, Date.now())))
  const known = await cachedKeys()
  if (known.some((key) => neverVerifies(key, reference))) return null
  const key = find(known) ?? find(await reloadedKeys())
  return key ? verifierOf(key) : null
}

function isMeant(key: SigningKey, { kid, algorithm }: KeyReference) {
  const isOfApi = key.purpose === 'access' && key.revokedAt === null
  return isOfApi && key.kid === kid && key.algorithm === algorithm
}

// The purpose and algorithm of a key never change, so such a token causes no query.
function neverVerifies(key: SigningKey, { kid, algorithm }: KeyReference) {
  const isOther = key.purpose !== 'access' || key.algorithm !== algorithm
  return key.kid === kid && (key.revokedAt !== null || isOther)
}

function verifierOf(key: SigningKey) {
  const verifier = verifiers.get(key.kid) ?? createKeyVerifier(key)
  verifiers.set(key.kid, verifier)
  return verifier
}

function createKeyVerifier({ publicJwk, algorithm }: SigningKey): Verifier {
  const key = createPublicKey({ key: publicJwk as JsonWebKey, format: 'jwk' })
  return createVerifier({
    key: key.export({ type: 'spki', format: 'pem' }) as string,
    algorithms: [algorithm],
    checkTyp: TOKEN_TYPE,
    allowedIss: settings.issuer,
    allowedAud: [settings.audience, settings.clientAudience],
    requiredClaims: REQUIRED_CLAIMS,
    // The expiry is compared on each request, because a revocation also reads expired tokens.
    ignoreExpiration: true,
  })
}
