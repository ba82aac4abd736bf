/** Who somebody is at a provider. The identity is issuer and subject; the rest may change. */
export interface ExternalIdentity {
  provider: string
  issuer: string
  subject: string
  /** As the provider tells it. */
  email: string | null
  emailVerified: boolean
  name: string | null
  picture: string | null
}

/** What binds the way to the provider and back to one browser (RFC 9700, section 2.1). */
export interface AuthorizationRequest {
  state: string
  nonce: string
  codeVerifier: string
}

/** The one shape of a provider, whatever it speaks. */
export interface ExternalProvider {
  name: string
  /** Where the browser goes; `redirectUri` is where it comes back to. */
  authorizationUrl(pending: AuthorizationRequest, redirectUri: string): Promise<URL>
  /** Who came back, proved by the code in `callback`. */
  identify(pending: AuthorizationRequest, callback: URL): Promise<ExternalIdentity>
}
