import settings from '#config/oidc'

/** RFC 8707. Pages call this without loading the provider. */
export function isOwnApi(resource: string) {
  return resource.replace(/\/$/, '') === settings.issuer.replace(/\/$/, '')
}
