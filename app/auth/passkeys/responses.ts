import settings from '#config/passkeys'

/*
 | What a browser returns of an authenticator, as `PublicKeyCredential.toJSON()` writes it:
 | binary values in base64url. Nothing in it is true before it is verified.
 */

interface Credential<Response> {
  id: string
  rawId: string
  type: string
  response: Response
}

/** Of a new passkey. */
export type AttestationResponse = Credential<{
  clientDataJSON: string
  attestationObject: string
  transports?: string[]
}>

/** Of a passkey that is used. */
export type AssertionResponse = Credential<{
  clientDataJSON: string
  authenticatorData: string
  signature: string
  userHandle?: string | null
}>

const CHALLENGE = /^[\w-]{43}$/

/** What the browser says of the ceremony; null where that cannot be read. */
export function clientDataOf({ response }: Credential<{ clientDataJSON: string }>) {
  try {
    const text = Buffer.from(response.clientDataJSON, 'base64url').toString('utf8')
    const { challenge, ...where } = JSON.parse(text)
    const isShaped = typeof challenge === 'string' && CHALLENGE.test(challenge)
    return isShaped ? { challenge, isOurs: isOurs(where) } : null
  } catch {
    return null
  }
}

interface Where {
  origin?: unknown
  crossOrigin?: unknown
  topOrigin?: unknown
}

/** A page of another site around ours could cover it, so that people confirm what they do not see. */
function isOurs({ origin, crossOrigin = false, topOrigin }: Where) {
  return settings.origins.includes(origin as string) && !crossOrigin && topOrigin === undefined
}
