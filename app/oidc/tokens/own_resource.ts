import settings from '#config/oidc'

/** Whether a resource (RFC 8707) is our own API. Pages ask this without loading the provider. */
export function isOwnApi(resource: string) {
  return resource.replace(/\/$/, '') === settings.issuer.replace(/\/$/, '')
}
