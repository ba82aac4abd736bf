/** A user at a provider. Issuer and subject identify them; the rest may change. */
export interface ExternalIdentity {
  provider: string
  issuer: string
  subject: string
  /** As the provider sent it, not in its canonical form. */
  email: string | null
  emailVerified: boolean
  name: string | null
  picture: string | null
  /** When the provider last asked who they are, in milliseconds; null from one that does not tell. */
  authenticatedAt: number | null
}

/**
 * The secrets of one authorization request. They bind the response to the browser that
 * started the login, against CSRF and injected codes (RFC 9700, section 2.1).
 */
export interface AuthorizationRequest {
  state: string
  nonce: string
  codeVerifier: string
  /** When it was made, in milliseconds. */
  startedAt: number
  /** Whether the provider has to ask again who the person is. */
  isReauthentication?: boolean
}

/** A provider, whichever protocol it speaks. */
export interface ExternalProvider {
  name: string
  /** The URL that the browser is sent to; the provider sends it back to `redirectUri`. */
  authorizationUrl(request: AuthorizationRequest, redirectUri: string): Promise<URL>
  /** Exchanges the code in the callback URL for the identity of the user. */
  identify(request: AuthorizationRequest, callback: URL): Promise<ExternalIdentity>
}
