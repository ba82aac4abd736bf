import { Router } from 'express'
import session from 'express-session'
import * as client from 'openid-client'

/**
 * As its read-me sets it up: PKCE, and the secret in the body. A state is sent only where the
 * provider knows no PKCE. Only the plain http of this test is added.
 */
export async function openidClient6({ url, issuer, clientId, clientSecret }) {
  const http = { execute: [client.allowInsecureRequests] }
  const config = await client.discovery(new URL(issuer), clientId, clientSecret, undefined, http)
  return { signIn: routes({ config, url }), userOf }
}

const userOf = (request) => request.session.user

function routes({ config, url }) {
  const router = Router()
  router.use(session({ secret: 'any text', resave: false, saveUninitialized: false }))

  router.get('/login', async (request, response) => {
    const verifier = client.randomPKCECodeVerifier()
    request.session.verifier = verifier
    const parameters = {
      redirect_uri: `${url}/callback`,
      scope: 'openid email profile',
      code_challenge: await client.calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
    }
    response.redirect(client.buildAuthorizationUrl(config, parameters).href)
  })

  router.get('/callback', async (request, response) => {
    const checks = { pkceCodeVerifier: request.session.verifier, idTokenExpected: true }
    const tokens = await client.authorizationCodeGrant(config, new URL(request.url, url), checks)
    const { sub } = tokens.claims()
    request.session.user = await client.fetchUserInfo(config, tokens.access_token, sub)
    response.redirect('/')
  })

  router.use((request, response, next) => {
    if (request.session.user) next()
    else response.redirect('/login')
  })
  return router
}
