import { Router } from 'express'
import * as oidc from 'openid-client'
import { TWO_FACTORS } from './provider.js'
import { endSession, startSession } from './sessions.js'
import { sessionValues } from './tokens.js'

/** `offline_access` is the scope that requests a refresh token. */
const SCOPE = 'openid profile email offline_access'

/** The browser keeps the checks of a sign-in, so that strangers cannot fill our memory. */
const COOKIE = 'example_sign_in'

/** Routes for the authorization code flow with PKCE. */
export function signInRoutes({ provider, cookies, at }) {
  const router = Router()

  router.get('/sign-in', (_, response) => begin(response))

  /** Only a request: the result is the claim `acr` of the ID token, and only that counts. */
  router.get('/step-up', (_, response) => begin(response, { acr_values: TWO_FACTORS }))

  async function begin(response, wishes) {
    const checks = newChecks()
    cookies.write(response, COOKIE, Buffer.from(JSON.stringify(checks)).toString('base64url'))
    const parameters = { redirect_uri: at('/callback').href, ...(await parametersOf(checks)) }
    response.redirect(oidc.buildAuthorizationUrl(provider, { ...parameters, ...wishes }).href)
  }

  router.get('/callback', async (request, response) => {
    const began = cookies.read(request, COOKIE)
    if (!began) return response.redirect('/')
    cookies.clear(response, COOKIE)
    const checks = JSON.parse(Buffer.from(began, 'base64url'))
    /** Verifies state, issuer, signature, audience and nonce. Throws an error if one is wrong. */
    const tokens = await oidc.authorizationCodeGrant(provider, at(request.originalUrl), checks)
    endSession(request.session?.id)
    const { id } = startSession(sessionValues(tokens))
    cookies.write(response, 'example', id)
    response.redirect('/')
  })

  return router
}

function newChecks() {
  return {
    /** An intercepted code is worthless without it (RFC 7636). */
    pkceCodeVerifier: oidc.randomPKCECodeVerifier(),
    /** Stops an attacker from finishing their sign-in in this browser (RFC 6749, section 10.12). */
    expectedState: oidc.randomState(),
    /** Refuses the ID token of an earlier sign-in. */
    expectedNonce: oidc.randomNonce(),
  }
}

async function parametersOf({ pkceCodeVerifier, expectedState, expectedNonce }) {
  return {
    scope: SCOPE,
    code_challenge: await oidc.calculatePKCECodeChallenge(pkceCodeVerifier),
    code_challenge_method: 'S256',
    state: expectedState,
    nonce: expectedNonce,
  }
}
