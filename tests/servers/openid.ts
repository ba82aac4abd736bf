import { createServer, type Server } from 'node:http'
import Provider from 'oidc-provider'

/** Returns the user for a login name, which becomes the local part of the address. */
function targetUser(login: string) {
  return {
    accountId: login,
    claims: () => ({
      sub: login,
      email: `${login}@example.org`,
      email_verified: true,
      name: `Person ${login}`,
    }),
  }
}

/** A real OpenID provider on loopback, with its own pages for login and consent. */
export class OpenIdProvider {
  #server!: Server

  constructor(
    readonly issuer: string,
    readonly redirectUri: string
  ) {}

  start() {
    const provider = new Provider(this.issuer, {
      clients: [
        {
          client_id: 'gatehouse',
          client_secret: 'a-secret-between-the-two',
          redirect_uris: [this.redirectUri],
          token_endpoint_auth_method: 'client_secret_post',
        },
      ],
      claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name'] },
      findAccount: (_: unknown, id: string) => targetUser(id),
      pkce: { required: () => true },
      cookies: { keys: ['one-cookie-key-of-the-tests'] },
    })
    this.#server = createServer(provider.callback())
    const { port } = new URL(this.issuer)
    return new Promise<void>((resolve, reject) =>
      this.#server.once('error', reject).listen(Number(port), '127.0.0.1', () => resolve())
    )
  }

  stop() {
    this.#server.closeAllConnections()
    return new Promise((resolve) => this.#server.close(resolve))
  }
}
