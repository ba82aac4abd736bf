import { createServer } from 'node:http'
import { once } from 'node:events'
import { test } from '@japa/runner'
import { createRemoteJWKSet, customFetch as joseFetch, jwtVerify } from 'jose'
import * as oauth from 'oauth4webapi'
import { auth } from '@modelcontextprotocol/sdk/client/auth.js'
import settings from '#config/oidc'
import { createUser } from '#tests/support/fixtures'
import { documents, withDocuments } from '#tests/support/client_documents'
import { McpMemory } from '#tests/support/mcp_memory'
import { application, type Browser, browserOf, REDIRECT, throughProxy } from '#tests/support/oidc'
import type User from '#models/user'
import type { Page } from '#tests/support/oidc'

/* Client libraries by other authors, each tested with its complete flow. */

const INTERACTION = /^\/oauth\/interaction\//

function allow(browser: Browser, page: Page) {
  return browser.submit(page, INTERACTION, { decision: 'allow' })
}

const INSECURE = { [oauth.customFetch]: throughProxy, [oauth.allowInsecureRequests]: true } as any

test.group('Counterpart | oauth4webapi', () => {
  test('signs in, reads userinfo, refreshes and revokes', async ({ assert }) => {
    const user = await createUser()
    const { client: registered } = await application({ tokenEndpointAuthMethod: 'none' })
    const issuer = new URL(settings.issuer)
    const discovered = await oauth.discoveryRequest(issuer, INSECURE)
    const as = await oauth.processDiscoveryResponse(issuer, discovered)
    const client = { client_id: registered.clientId }
    const verifier = oauth.generateRandomCodeVerifier()
    const url = new URL(as.authorization_endpoint!)
    const parameters = {
      client_id: client.client_id,
      redirect_uri: REDIRECT,
      response_type: 'code',
      scope: 'openid email offline_access',
      prompt: 'consent',
      code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
    }
    for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value)
    const browser = await browserOf(user)
    const answer = await allow(browser, await browser.open(url))
    const callback = oauth.validateAuthResponse(as, client, answer.url)
    const response = await oauth.authorizationCodeGrantRequest(
      as,
      client,
      oauth.None(),
      callback,
      REDIRECT,
      verifier,
      INSECURE
    )
    const options = { requireIdToken: true }
    const tokens = await oauth.processAuthorizationCodeResponse(as, client, response, options)
    const { sub } = oauth.getValidatedIdTokenClaims(tokens)!
    assert.equal(sub, user.id)
    const info = await oauth.userInfoRequest(as, client, tokens.access_token, INSECURE)
    const claims = await oauth.processUserInfoResponse(as, client, sub, info)
    assert.equal(claims.email, user.email)
    const refreshed = await oauth.refreshTokenGrantRequest(
      as,
      client,
      oauth.None(),
      tokens.refresh_token!,
      INSECURE
    )
    const renewed = await oauth.processRefreshTokenResponse(as, client, refreshed)
    const revoked = await oauth.revocationRequest(
      as,
      client,
      oauth.None(),
      renewed.refresh_token!,
      INSECURE
    )
    await oauth.processRevocationResponse(revoked)
    const late = await oauth.userInfoRequest(as, client, renewed.access_token, INSECURE)
    assert.equal(late.status, 401)
  })
})

/** Starts a Model Context Protocol server that trusts this provider, as far as a client can see. */
async function mcpServer() {
  const server = createServer((request, response) => {
    const { port } = server.address() as { port: number }
    const resource = `http://127.0.0.1:${port}/mcp`
    const isDocument = request.url!.startsWith('/.well-known/oauth-protected-resource')
    response.statusCode = isDocument ? 200 : 401
    response.setHeader('content-type', 'application/json')
    response.end(JSON.stringify({ resource, authorization_servers: [settings.issuer] }))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as { port: number }
  return { server, url: `http://127.0.0.1:${port}/mcp` }
}

/** Runs the whole flow of an MCP client. Returns the result for its server and the consent page. */
async function tokenForServer(
  memory: McpMemory,
  { user, cleanup }: { user: User; cleanup: Cleanup }
) {
  const { server, url: serverUrl } = await mcpServer()
  cleanup(() => void server.close())
  const options = {
    serverUrl,
    fetchFn: (url: string | URL, init?: object) => throughProxy(String(url), init),
  }
  await auth(memory, options)
  const browser = await browserOf(user)
  const consent = await browser.open(memory.leadsTo!)
  const { url } = await allow(browser, consent)
  const authorizationCode = url.searchParams.get('code')!
  const result = await auth(memory, { ...options, authorizationCode })
  return { result, consent, serverUrl, renew: () => auth(memory, options) }
}

type Cleanup = (hook: () => void) => void

/** Verifies the token as the MCP server does. */
function verify(token: string, audience: string) {
  const keys = createRemoteJWKSet(new URL(`${settings.issuer}/.well-known/jwks.json`), {
    [joseFetch]: throughProxy as any,
  })
  return jwtVerify(token, keys, { issuer: settings.issuer, audience, typ: 'at+jwt' })
}

test.group('Counterpart | MCP SDK', () => {
  test('gets a token for its server, which verifies it', async ({ assert, cleanup }) => {
    const user = await createUser()
    const { client: registered } = await application({ tokenEndpointAuthMethod: 'none' })
    const memory = new McpMemory(settings.issuer, {
      clientId: registered.clientId,
      redirectUrl: REDIRECT,
    })
    const { result, consent, serverUrl } = await tokenForServer(memory, { user, cleanup })
    assert.equal(result, 'AUTHORIZED')
    assert.include(consent.html, new URL(serverUrl).host)
    const { payload } = await verify(memory.tokens().access_token, serverUrl)
    assert.equal(payload.sub, user.id)
    assert.equal(payload.client_id, registered.clientId)
  })
})

test.group('Counterpart | MCP SDK with a metadata document', (group) => {
  withDocuments(group)

  test('gets and renews a token without being registered', async ({ assert, cleanup }) => {
    const user = await createUser()
    const clientId = documents.serve('/mcp.json')
    const memory = new McpMemory(settings.issuer, {
      clientMetadataUrl: clientId,
      redirectUrl: 'http://127.0.0.1:51234/callback',
    })
    const flow = await tokenForServer(memory, { user, cleanup })
    assert.equal(flow.result, 'AUTHORIZED')
    assert.include(flow.consent.html, new URL(clientId).host)
    const first = memory.tokens().access_token
    assert.equal(await flow.renew(), 'AUTHORIZED')
    const { payload } = await verify(memory.tokens().access_token, flow.serverUrl)
    assert.notEqual(memory.tokens().access_token, first)
    assert.equal(payload.sub, user.id)
    assert.equal(payload.client_id, clientId)
  })
})
