import { createHash, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { freePort } from '#tests/support/free_port'
import type { IdentityProduct } from './identity_product.ts'

/** Returns the address of an authorization request, with its state and code verifier. */
export function authorization(
  issuer: string,
  { clientId, redirectUri }: { clientId: string; redirectUri: string }
) {
  const [state, verifier] = [randomBytes(16).toString('hex'), randomBytes(32).toString('hex')]
  const query = new URLSearchParams({
    client_id: clientId,
    redirect_uri: redirectUri,
    response_type: 'code',
    scope: 'openid email',
    state,
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
  })
  return { url: `${issuer}/oauth/authorize?${query}`, state, verifier }
}

/**
 * Keeps all its state in a cookie `session`, as Flask, Starlette and FastAPI do: the OAuth state
 * during the sign-in, and then the user.
 */
export class NeighbourApplication {
  #client!: { clientId: string; clientSecret: string }

  private constructor(
    readonly url: string,
    readonly issuer: string,
    readonly server: Server
  ) {}

  static async start(service: IdentityProduct) {
    const port = await freePort()
    const server = createServer((request, response) => application.#answer(request, response))
    const application = new NeighbourApplication(`http://localhost:${port}`, service.issuer, server)
    const redirectUris = [application.redirectUri]
    application.#client = await service.register({ kind: 'first_party', redirectUris })
    server.listen(port, '127.0.0.1')
    await once(server, 'listening')
    return application
  }

  get redirectUri() {
    return `${this.url}/callback`
  }

  async #answer(request: IncomingMessage, response: ServerResponse) {
    const { pathname, searchParams } = new URL(request.url!, this.url)
    const session = sessionOf(request)
    if (pathname === '/login') return this.#startSignIn(response)
    if (pathname !== '/callback') return response.end(`Signed in as ${session.email ?? 'nobody'}`)
    if (session.state !== searchParams.get('state')) {
      return response.writeHead(400).end('mismatching_state')
    }
    const email = await this.#emailOf(searchParams.get('code')!, session.verifier)
    redirect(response, this.url, { email })
  }

  #startSignIn(response: ServerResponse) {
    const { clientId } = this.#client
    const { url, ...session } = authorization(this.issuer, {
      clientId,
      redirectUri: this.redirectUri,
    })
    redirect(response, url, session)
  }

  async #emailOf(code: string, verifier: string): Promise<string> {
    const { clientId, clientSecret } = this.#client
    const body = new URLSearchParams({
      grant_type: 'authorization_code',
      code,
      redirect_uri: this.redirectUri,
      code_verifier: verifier,
    })
    const credentials = `Basic ${btoa(`${clientId}:${clientSecret}`)}`
    const options = { method: 'POST', headers: { authorization: credentials }, body }
    const answer = await fetch(`${this.issuer}/oauth/token`, options)
    const { id_token: idToken } = (await answer.json()) as { id_token: string }
    return JSON.parse(Buffer.from(idToken.split('.')[1], 'base64url').toString()).email
  }

  stop() {
    this.server.closeAllConnections()
    return new Promise((resolve) => this.server.close(resolve))
  }
}

function sessionOf({ headers }: IncomingMessage) {
  const [, value] = /(?:^|; )session=([^;]*)/.exec(headers.cookie ?? '') ?? []
  return value ? JSON.parse(Buffer.from(value, 'base64url').toString()) : {}
}

function redirect(response: ServerResponse, location: string, session: object) {
  const value = Buffer.from(JSON.stringify(session)).toString('base64url')
  const cookie = `session=${value}; Path=/; HttpOnly; SameSite=Lax`
  response.writeHead(302, { location, 'set-cookie': cookie }).end()
}
