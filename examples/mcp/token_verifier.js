import { createRemoteJWKSet, jwtVerify } from 'jose'
import { InvalidTokenError } from '@modelcontextprotocol/sdk/server/auth/errors.js'

/**
 * Verifies that access tokens of Gatehouse (RFC 9068) are for this server. Without the check of
 * the audience, a token for another server would be accepted here.
 */
export async function tokenVerifier(issuer, resource) {
  const document = await fetch(`${issuer}/.well-known/openid-configuration`)
  const { jwks_uri: keysUrl } = await document.json()
  const keys = createRemoteJWKSet(new URL(keysUrl))
  const checks = {
    issuer,
    audience: resource,
    typ: 'at+jwt',
    algorithms: ['RS256', 'ES256', 'EdDSA'],
  }

  async function verifyAccessToken(token) {
    const { payload } = await jwtVerify(token, keys, checks).catch((error) => {
      throw new InvalidTokenError(error.message)
    })
    const { client_id: clientId, scope = '', exp: expiresAt, sub } = payload
    return { token, clientId, scopes: scope.split(' '), expiresAt, extra: { sub } }
  }

  return { verifyAccessToken }
}
