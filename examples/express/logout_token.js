import { createRemoteJWKSet, jwtVerify } from 'jose'

const EVENT = 'http://schemas.openid.net/event/backchannel-logout'

/**
 * Verifies the token of a logout message (OpenID Connect Back-Channel Logout 1.0, section 2.6).
 * Anybody can send a message. Without these checks, anybody could sign people out, and an ID
 * token, which browsers see, would be accepted as a logout token.
 */
export function logoutTokenVerifier({ issuer, jwks_uri: keysUrl }, clientId) {
  const keys = createRemoteJWKSet(new URL(keysUrl))
  return async (token) => {
    const { payload } = await jwtVerify(token, keys, {
      issuer,
      audience: clientId,
      typ: 'logout+jwt',
      algorithms: ['RS256', 'ES256', 'EdDSA'],
      requiredClaims: ['iat', 'exp', 'jti', 'events'],
      maxTokenAge: '2m',
      clockTolerance: '10s',
    })
    const isAboutLogout = typeof payload.events[EVENT] === 'object' && !('nonce' in payload)
    if (!isAboutLogout || !(payload.sid || payload.sub)) throw new Error('This is no logout token')
    return payload
  }
}
