import { generateKeyPairSync, randomBytes } from 'node:crypto'
import { createServer } from 'node:http'
import Provider from 'oidc-provider'

/*
 | `oidc-provider` alone, the library behind the product's own provider, with the adapter
 | that it has in memory: it neither asks for a password nor keeps anything, and every request
 | is signed in and has consented.
 */

const { PORT, APP_URL, CLIENT_ID, CLIENT_SECRET, REDIRECT_URI } = process.env
const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })

const provider = new Provider(APP_URL, {
  clients: [
    {
      client_id: CLIENT_ID,
      client_secret: CLIENT_SECRET,
      redirect_uris: [REDIRECT_URI],
      grant_types: ['authorization_code', 'refresh_token'],
      id_token_signed_response_alg: 'ES256',
    },
  ],
  claims: { openid: ['sub'], email: ['email'], profile: ['name'] },
  cookies: { keys: [randomBytes(32).toString('base64url')] },
  enabledJWA: { idTokenSigningAlgValues: ['ES256'] },
  features: { devInteractions: { enabled: false } },
  findAccount: (_, id) => ({
    accountId: id,
    claims: () => ({ sub: id, email: `${id}@example.org`, name: 'Ada' }),
  }),
  interactions: { url: (_, { uid }) => `/interaction/${uid}` },
  issueRefreshToken: () => true,
  jwks: { keys: [{ ...privateKey.export({ format: 'jwk' }), alg: 'ES256', use: 'sig' }] },
  scopes: ['openid', 'email', 'profile', 'offline_access'],
})

async function answerInteraction(request, response) {
  const { prompt, params, session } = await provider.interactionDetails(request, response)
  if (prompt.name === 'login') {
    const result = { login: { accountId: randomBytes(8).toString('hex') } }
    return provider.interactionFinished(request, response, result)
  }
  const grant = new provider.Grant({ accountId: session.accountId, clientId: params.client_id })
  grant.addOIDCScope(params.scope)
  const consent = { grantId: await grant.save() }
  await provider.interactionFinished(
    request,
    response,
    { consent },
    { mergeWithLastSubmission: true }
  )
}

const answer = provider.callback()

createServer((request, response) => {
  if (request.url === '/health') return response.end('{"status":"ok"}')
  if (!request.url.startsWith('/interaction/')) return answer(request, response)
  answerInteraction(request, response).catch((error) => response.writeHead(500).end(String(error)))
}).listen(PORT, '127.0.0.1')
