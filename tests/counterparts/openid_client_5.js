import { Router, urlencoded } from 'express'
import session from 'express-session'
import { generators, Issuer } from 'openid-client-5'

/** The former major version, as its read-me sets it up. PKCE is an option that is off. */
export async function openidClient5({ url, issuer, clientId, clientSecret, responseMode }) {
  const { Client } = await Issuer.discover(issuer)
  const redirectUri = `${url}/callback`
  const client = new Client({
    client_id: clientId,
    client_secret: clientSecret,
    redirect_uris: [redirectUri],
    response_types: ['code'],
  })
  return { signIn: routes({ client, redirectUri, responseMode }), userOf }
}

const userOf = (request) => request.session.user

function routes({ client, redirectUri, responseMode }) {
  const router = Router()
  router.use(session({ secret: 'any text', resave: false, saveUninitialized: false }))
  router.use(urlencoded({ extended: false }))

  router.get('/login', (request, response) => {
    const checks = { state: generators.state(), nonce: generators.nonce() }
    request.session.checks = checks
    const mode = responseMode && { response_mode: responseMode }
    const parameters = { scope: 'openid email profile', ...checks, ...mode }
    response.redirect(client.authorizationUrl(parameters))
  })

  router.all('/callback', async (request, response) => {
    const parameters = client.callbackParams(request)
    const tokens = await client.callback(redirectUri, parameters, request.session.checks)
    request.session.user = tokens.claims()
    response.redirect('/')
  })

  router.use((request, response, next) => {
    if (request.session.user) next()
    else response.redirect('/login')
  })
  return router
}
