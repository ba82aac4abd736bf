import type Provider from 'oidc-provider'

/**
 * oidc-provider 9.13 stores the members of a grant that it knows. Patched, the web session is stored
 * too: its end ends the grants that began in it.
 */
export function keepWebSessionOfGrants({ Grant }: Provider) {
  const members = [...Grant.IN_PAYLOAD, 'webSessionId']
  Object.defineProperty(Grant, 'IN_PAYLOAD', { get: () => members })
}
