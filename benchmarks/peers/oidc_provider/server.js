import { generateKeyPairSync, randomBytes } from 'node:crypto'
import { createServer } from 'node:http'
import Provider from 'oidc-provider'

/*
 | `oidc-provider` alone, the library behind the product's own provider, with its in-memory
 | adapter. It neither asks for a password nor keeps anything: every request is signed in and
 | has consented.
 */

const { PORT, APP_URL, CLIENTS, REDIRECT_URI } = process.env
const { RS256, ES256, lasting, machine } = JSON.parse(CLIENTS)

const keys = [
  { alg: 'RS256', ...generateKeyPairSync('rsa', { modulusLength: 2048 }) },
  { alg: 'ES256', ...generateKeyPairSync('ec', { namedCurve: 'P-256' }) },
].map(({ alg, privateKey }) => ({ ...privateKey.export({ format: 'jwk' }), alg, use: 'sig' }))

const application = ({ id, secret }, algorithm) => ({
  client_id: id,
  client_secret: secret,
  redirect_uris: [REDIRECT_URI],
  grant_types: ['authorization_code', 'refresh_token'],
  id_token_signed_response_alg: algorithm,
})

const provider = new Provider(APP_URL, {
  clients: [
    application(RS256, 'RS256'),
    application(ES256, 'ES256'),
    application(lasting, 'ES256'),
    {
      client_id: machine.id,
      client_secret: machine.secret,
      redirect_uris: [],
      response_types: [],
      grant_types: ['client_credentials'],
    },
  ],
  claims: { openid: ['sub'], email: ['email'], profile: ['name'] },
  cookies: { keys: [randomBytes(32).toString('base64url')] },
  enabledJWA: { idTokenSigningAlgValues: ['RS256', 'ES256'] },
  features: {
    clientCredentials: { enabled: true },
    devInteractions: { enabled: false },
    introspection: { enabled: true },
  },
  findAccount: (_, id) => ({
    accountId: id,
    claims: () => ({ sub: id, email: `${id}@example.org`, name: 'Ada' }),
  }),
  interactions: { url: (_, { uid }) => `/interaction/${uid}` },
  issueRefreshToken: (_, client) => client.clientId === lasting.id,
  jwks: { keys },
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
