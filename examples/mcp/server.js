import { getOAuthProtectedResourceMetadataUrl } from '@modelcontextprotocol/sdk/server/auth/router.js'
import { requireBearerAuth } from '@modelcontextprotocol/sdk/server/auth/middleware/bearerAuth.js'
import { createMcpExpressApp } from '@modelcontextprotocol/sdk/server/express.js'
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js'
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js'
import { tokenVerifier } from './token_verifier.js'

/* A server of the Model Context Protocol that knows its users, because Gatehouse signs them in. */

const { ISSUER = 'http://localhost:3333', PORT = '4100' } = process.env
const RESOURCE = process.env.RESOURCE ?? `http://127.0.0.1:${PORT}/mcp`

const resourceMetadataUrl = getOAuthProtectedResourceMetadataUrl(new URL(RESOURCE))
const verifier = await tokenVerifier(ISSUER, RESOURCE)

/** Makes a server with one tool. A client calls it for the person who allowed that. */
function newServer() {
  const server = new McpServer({ name: 'whoami', version: '1.0.0' })
  server.registerTool('whoami', { description: 'Says who asks' }, ({ authInfo }) => ({
    content: [{ type: 'text', text: authInfo.extra.sub }],
  }))
  return server
}

async function answer(request, response) {
  const transport = new StreamableHTTPServerTransport({ sessionIdGenerator: undefined })
  response.on('close', () => transport.close())
  await newServer().connect(transport)
  await transport.handleRequest(request, response, request.body)
}

createMcpExpressApp({ allowedHosts: [new URL(RESOURCE).hostname] })
  /** Tells a client without a token which server to ask for one (RFC 9728). */
  .get(new URL(resourceMetadataUrl).pathname, (_request, response) => {
    response.json({
      resource: RESOURCE,
      authorization_servers: [ISSUER],
      scopes_supported: ['openid', 'profile', 'offline_access'],
    })
  })
  .post('/mcp', requireBearerAuth({ verifier, resourceMetadataUrl }), answer)
  .listen(Number(PORT), '127.0.0.1', () => console.log(`The MCP server is at ${RESOURCE}`))
