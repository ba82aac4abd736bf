import settings from '#config/oidc'

/** Pages ask this without loading the provider (RFC 8707). */
export function isOwnApi(resource: string) {
  return resource.replace(/\/$/, '') === settings.issuer.replace(/\/$/, '')
}
