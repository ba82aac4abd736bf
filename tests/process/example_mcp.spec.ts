import { createServer } from 'node:http'
import { once } from 'node:events'
import { spawn, type ChildProcess } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from '@japa/runner'
import type { Browser } from 'playwright-core'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { UnauthorizedError } from '@modelcontextprotocol/sdk/client/auth.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { findBrowser, launchBrowser } from '#tests/support/browser'
import { freePort } from '#tests/support/free_port'
import { McpMemory } from '#tests/support/mcp_memory'
import { PASSWORD } from '#tests/support/users'
import { ace } from './ace.ts'
import { newcomer } from './backend.ts'
import { cleanEnvironment, Product } from './product.ts'

const root = join(import.meta.dirname, '../..')

/** Starts the server as its README says. */
async function startServer(issuer: string) {
  const port = await freePort()
  const env = { ...cleanEnvironment(), ISSUER: issuer, PORT: String(port) }
  const child = spawn(process.execPath, ['server.js'], { cwd: join(root, 'examples/mcp'), env })
  const [line] = await once(child.stdout!, 'data')
  return { child, url: new URL(String(line).split(' ').at(-1)!.trim()) }
}

/** Starts the server on which the client listens for its code. */
async function callbackServer() {
  const server = createServer((_request, response) => response.end('Back at the client'))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as { port: number }
  return { server, url: `http://127.0.0.1:${port}/callback` }
}

test.group('Example | MCP server', (group) => {
  let product: Product
  let mcp: { child: ChildProcess; url: URL }
  let browser: Browser
  group.setup(async () => {
    findBrowser()
    product = await Product.start({ LOGIN_THROTTLE_LIMIT: '0' })
    mcp = await startServer(product.publicUrl)
    browser = await launchBrowser()
  })
  group.teardown(async () => {
    await browser.close()
    mcp.child.kill()
    await product.remove()
  })

  async function connect(memory: McpMemory) {
    const transport = new StreamableHTTPClientTransport(mcp.url, { authProvider: memory })
    const client = new Client({ name: 'test', version: '1.0.0' })
    return { client, transport, connected: client.connect(transport) }
  }

  /** Signs the person in, allows the client, and returns the client's code. */
  async function consent(email: string, url: URL) {
    const page = await browser.newPage()
    await page.goto(url.href)
    await page.getByLabel('E-mail').fill(email)
    await page.getByLabel('Password').fill(PASSWORD)
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    await page.getByText(`use the service ${mcp.url.host} for you`).waitFor()
    await page.getByRole('button', { name: 'Allow', exact: true }).click()
    await page.getByText('Back at the client').waitFor()
    return new URL(page.url()).searchParams.get('code')!
  }

  test('an MCP client calls its tool for the person', async ({ assert, cleanup }) => {
    const callback = await callbackServer()
    cleanup(() => void callback.server.close())
    const command = ['client:create', '--name=Inspector', '--auth-method=none', '--json']
    const { json } = await ace(product.dataDir, [...command, `--redirect-uri=${callback.url}`])
    const { clientId } = json() as { clientId: string }
    const user = await newcomer(product)
    const memory = new McpMemory(product.publicUrl, { clientId, redirectUrl: callback.url })
    const first = await connect(memory)
    await assert.rejects(() => first.connected, UnauthorizedError)
    await first.transport.finishAuth(await consent(user.email, memory.leadsTo!))
    const { client, connected } = await connect(memory)
    await connected
    const answer: any = await client.callTool({ name: 'whoami' })
    assert.equal(answer.content[0].text, user.id)
    await client.close()
  })

  test('a token of another service opens nothing', async ({ assert }) => {
    const answer = await fetch(mcp.url, {
      method: 'POST',
      headers: { 'authorization': 'Bearer e30.e30.e30', 'content-type': 'application/json' },
      body: '{}',
    })
    assert.equal(answer.status, 401)
    assert.include(answer.headers.get('www-authenticate'), 'oauth-protected-resource/mcp')
  })

  test('the documents show what was run', ({ assert }) => {
    const readme = readFileSync(join(root, 'examples/mcp/README.md'), 'utf8')
    assert.include(readme, '--auth-method=none')
    assert.include(readFileSync(join(root, 'docs/openid-provider.md'), 'utf8'), 'examples/mcp')
  })
})
