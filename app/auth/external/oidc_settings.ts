export interface OidcSettings {
  /** In paths, and as users see it. */
  name: string
  issuer: string
  clientId: string
  clientSecret: string
}
