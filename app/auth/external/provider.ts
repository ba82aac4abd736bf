/** Issuer and subject identify the user; the rest may change. */
export interface ExternalIdentity {
  provider: string
  issuer: string
  subject: string
  /** As the provider sent it, not in its canonical form. */
  email: string | null
  emailVerified: boolean
  name: string | null
  picture: string | null
  /** In milliseconds; null if the provider does not tell when it authenticated the user. */
  authenticatedAt: number | null
  /** The groups in the claim that the setting names; absent without the setting or the claim. */
  groups?: string[]
  /** The state when the provider answered: the environment may take over the name later. */
  isFromConsole?: true
}

/** An issuer with a slash at the end is the same issuer. */
export function isSameIssuer(one: string, other: string) {
  return withoutSlash(one) === withoutSlash(other)
}

const withoutSlash = (issuer: string) => issuer.replace(/\/$/, '')

/** Binds the response to the browser, against CSRF and injected codes (RFC 9700, section 2.1). */
export interface AuthorizationRequest {
  state: string
  nonce: string
  codeVerifier: string
  /** In milliseconds. */
  startedAt: number
  isReauthentication?: boolean
}

export interface ExternalProvider {
  name: string
  /** The provider sends the browser back to `redirectUri`. */
  authorizationUrl(request: AuthorizationRequest, redirectUri: string): Promise<URL>
  identify(request: AuthorizationRequest, callback: URL): Promise<ExternalIdentity>
}

export interface OidcSettings {
  /** The name in paths, which users also see. */
  name: string
  issuer: string
  clientId: string
  clientSecret: string
  /** Null without the setting: nothing is read and no membership changes. */
  groupsClaim: string | null
  /** An administrator typed the address, so calls stay within `OUTBOUND_ALLOWED_NETWORKS`. */
  isFromConsole?: true
}
