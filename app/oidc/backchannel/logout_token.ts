import settings from '#config/oidc'
import { signingKid, signJws } from '#auth/signing_keys/jws_signer'
import { identityPurpose } from '#auth/signing_keys/signing_key'
import type { LogoutReceiver } from '#auth/tokens/deleted_clients'

export interface LogoutMessage extends LogoutReceiver {
  /** The `jti` of every try, so that a client recognizes a repeated message. */
  id: string
  clientId: string
  userId: string
  sessionId: string
}

const EVENT = 'http://schemas.openid.net/event/backchannel-logout'

/** OpenID Connect Back-Channel Logout 1.0, section 2.4. */
export async function issueLogoutToken(message: LogoutMessage) {
  const { id, clientId, userId, sessionId, algorithm } = message
  const now = Math.floor(Date.now() / 1_000)
  const kid = await signingKid(identityPurpose(algorithm))
  const header = { alg: algorithm, typ: 'logout+jwt', kid }
  const times = { iat: now, exp: now + settings.logouts.tokenSeconds }
  const about = { sub: userId, sid: sessionId, events: { [EVENT]: {} } }
  const payload = { iss: settings.issuer, aud: clientId, jti: id, ...times, ...about }
  const input = `${encode(header)}.${encode(payload)}`
  const signature = await signJws(Buffer.from(input))
  return `${input}.${signature.toString('base64url')}`
}

function encode(part: object) {
  return Buffer.from(JSON.stringify(part)).toString('base64url')
}
