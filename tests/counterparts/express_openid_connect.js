import { auth } from 'express-openid-connect'

/** As its read-me sets it up, for the code flow. */
export function oidc({ url, issuer, clientId, clientSecret, responseMode }) {
  const signIn = auth({
    issuerBaseURL: issuer,
    baseURL: url,
    clientID: clientId,
    clientSecret,
    secret: 'a text that is long enough for a secret',
    authorizationParams: {
      response_type: 'code',
      ...(responseMode && { response_mode: responseMode }),
    },
  })
  return { signIn, userOf: (request) => request.oidc.user }
}
