import type { OAuthClientProvider } from '@modelcontextprotocol/sdk/client/auth.js'

interface About {
  /** The id of a registered client. */
  clientId?: string
  /** The address of a client that describes itself. */
  clientMetadataUrl?: string
  redirectUrl: string
}

/** Stores in memory what an MCP client keeps. */
export class McpMemory implements OAuthClientProvider {
  readonly #issuer: string
  readonly #clientId?: string
  readonly clientMetadataUrl?: string
  readonly redirectUrl: string
  kept: Record<string, any> = {}
  leadsTo?: URL

  constructor(issuer: string, { clientId, clientMetadataUrl, redirectUrl }: About) {
    this.#issuer = issuer
    this.#clientId = clientId
    this.clientMetadataUrl = clientMetadataUrl
    this.redirectUrl = redirectUrl
  }

  get clientMetadata() {
    return { redirect_uris: [this.redirectUrl], scope: 'openid profile offline_access' }
  }

  clientInformation() {
    return this.#clientId ? { client_id: this.#clientId, issuer: this.#issuer } : this.kept.client
  }

  saveClientInformation(client: object) {
    this.kept.client = client
  }

  tokens() {
    return this.kept.tokens
  }

  saveTokens(tokens: object) {
    this.kept.tokens = tokens
  }

  redirectToAuthorization(url: URL) {
    this.leadsTo = url
  }

  saveCodeVerifier(verifier: string) {
    this.kept.verifier = verifier
  }

  codeVerifier() {
    return this.kept.verifier
  }
}
