import settings from '#config/passkeys'

// `PublicKeyCredential.toJSON()`: binary values in base64url, untrusted before they are verified.

interface Credential<Response> {
  id: string
  rawId: string
  type: string
  response: Response
}

export type AttestationResponse = Credential<{
  clientDataJSON: string
  attestationObject: string
  transports?: string[]
}>

export type AssertionResponse = Credential<{
  clientDataJSON: string
  authenticatorData: string
  signature: string
  userHandle?: string | null
}>

const CHALLENGE = /^[\w-]{43}$/

/** Returns null if the client data cannot be read. */
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

// A page that frames ours could cover it, so that users confirm something unseen (clickjacking).
function isOurs({ origin, crossOrigin = false, topOrigin }: Where) {
  return settings.origins.includes(origin as string) && !crossOrigin && topOrigin === undefined
}
