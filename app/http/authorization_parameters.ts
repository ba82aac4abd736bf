import settings from '#config/external'
import { appUrl } from '#config/app'
import { E_INVALID_RETURN_TO, invalidCodeChallenge } from '#auth/errors'

/** An open redirect would send the code to an attacker. @throws E_INVALID_RETURN_TO */
export function parseReturnTo(returnTo: string | undefined) {
  if (returnTo === undefined) return undefined
  const address = URL.parse(returnTo, appUrl)
  if (!address || !isReturnAddress(address)) throw new E_INVALID_RETURN_TO()
  return address.href
}

function isReturnAddress({ href, origin, username }: URL) {
  const { returnUrls, returnOrigins } = settings
  return returnUrls.length > 0
    ? returnUrls.includes(href)
    : returnOrigins.includes(origin) && !username
}

/** A SHA-256 in base64url (RFC 7636, section 4.2); `plain` challenges would reveal the verifier. */
const CODE_CHALLENGE = /^[\w-]{43}$/

/**
 * Binds the code to the client, against the injection of an attacker's code (RFC 9700, section 4.5).
 * @throws E_VALIDATION_ERROR for another form, and where `RETURN_URLS` requires a challenge
 */
export function parseCodeChallenge(challenge: unknown, returnTo: string | undefined) {
  const isRequired = returnTo !== undefined && settings.returnUrls.length > 0
  if (challenge === undefined && !isRequired) return undefined
  if (typeof challenge === 'string' && CODE_CHALLENGE.test(challenge)) return challenge
  throw invalidCodeChallenge()
}
