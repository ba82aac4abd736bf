import * as oidc from 'openid-client'
import { isLoopback, SetupError } from './settings.js'

/** The authentication class (`acr`) of a sign-in with two factors or a passkey. */
export const TWO_FACTORS = 'urn:gatehouse:acr:mfa'

/** Reads the provider's addresses and keys, and makes the client that uses them. */
export async function discover({ issuer, clientId, clientSecret }) {
  const authentication = oidc.ClientSecretBasic(clientSecret)
  const execute = isLoopback(issuer) ? [oidc.allowInsecureRequests] : []
  try {
    return await oidc.discovery(issuer, clientId, undefined, authentication, { execute })
  } catch (error) {
    throw new SetupError(`No OpenID provider answers at ${issuer.href}: ${reasonOf(error)}.

Start Gatehouse (npm start in its folder), and set ISSUER to its APP_URL, to the letter.`)
  }
}

function reasonOf({ cause, message }) {
  return cause?.code ?? cause?.message ?? message
}
