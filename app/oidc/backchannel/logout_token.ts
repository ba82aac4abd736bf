import settings from '#config/oidc'
import { signingKid, signJws } from '#auth/signing_keys/jws_signer'

/** That the session of a person with a client has ended, as it waits for the client to hear. */
export interface LogoutMessage {
  /** The `jti` of every try: a client that heard before knows it again. */
  id: string
  clientId: string
  userId: string
  sessionId: string
  /** Where the client wanted to hear of it when the session ended. */
  uri: string
}

const EVENT = 'http://schemas.openid.net/event/backchannel-logout'

/** OpenID Connect Back-Channel Logout 1.0, section 2.4. */
export async function issueLogoutToken({ id, clientId, userId, sessionId }: LogoutMessage) {
  const now = Math.floor(Date.now() / 1_000)
  const header = { alg: 'ES256', typ: 'logout+jwt', kid: await signingKid('identity') }
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
