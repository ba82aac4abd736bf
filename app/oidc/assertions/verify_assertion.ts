import { decodeJwt, decodeProtectedHeader, jwtVerify } from 'jose'
import settings from '#config/oidc'
import { nullIfInvalid } from '#exceptions/dependency_failures'
import { isFapi } from '#oidc/clients/client_fields'
import { findCurrentClient } from '#oidc/clients/remembered_clients'
import { findClientKeys } from './client_keys.ts'
import { algorithmsOf, assertionError, audiencesOf } from './rules.ts'
import { countAssertion, isFirstUse } from './use_once.ts'
import type { JWTPayload } from 'jose'
import type { OAuthClient } from '#oidc/clients/client'

export const ASSERTION_TYPE = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer'

/**
 * Returns the client that made the assertion for this endpoint (RFC 7523), or null for other text.
 * @throws E_TOO_MANY_REQUESTS
 */
export async function findAssertingClient(assertion: string, endpoints: string[]) {
  const client = settings.isOn ? await claimedClient(assertion) : null
  if (!client) return null
  const asserting = { isFapi: isFapi(client) }
  const claims = await verified(assertion, client, audiencesOf(asserting, endpoints))
  if (!claims || assertionError(claims, asserting)) return null
  const { clientId } = client
  await countAssertion(clientId)
  const { jti, exp } = claims as Required<JWTPayload>
  const isFirst = await isFirstUse({ issuer: clientId, jti, exp: exp + leeway })
  return isFirst ? client : null
}

const leeway = settings.assertions.leewaySeconds

async function claimedClient(assertion: string) {
  const subject = subjectOf(assertion)
  const client = subject === null ? null : await findCurrentClient(subject)
  return client?.tokenEndpointAuthMethod === 'private_key_jwt' ? client : null
}

function subjectOf(assertion: string) {
  try {
    const { sub } = decodeJwt(assertion)
    return typeof sub === 'string' ? sub : null
  } catch {
    return null
  }
}

async function verified(assertion: string, client: OAuthClient, audience: string[]) {
  const { alg, kid } = headerOf(assertion)
  const algorithms = algorithmsOf({ isFapi: isFapi(client) })
  if (!algorithms.includes(alg)) return null
  const { clientId } = client
  const options = { audience, issuer: clientId, subject: clientId, clockTolerance: leeway }
  for (const key of await findClientKeys(client, { alg, kid })) {
    const required = { algorithms: [alg], requiredClaims: ['jti', 'exp'] }
    const result = await jwtVerify(assertion, key, { ...options, ...required }).catch(nullIfInvalid)
    if (result && typeof result.payload.jti === 'string') return result.payload
  }
  return null
}

function headerOf(assertion: string) {
  try {
    const { alg = '', kid } = decodeProtectedHeader(assertion)
    return { alg, kid }
  } catch {
    return { alg: '' }
  }
}
