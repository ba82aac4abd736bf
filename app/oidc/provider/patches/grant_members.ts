import type Provider from 'oidc-provider'

/**
 * oidc-provider 9.13 stores only the members of a grant that it knows. Patched, it also stores the
 * web session and the browser, so that a sign-out ends the grants that began there.
 */
export function keepWebSessionOfGrants({ Grant }: Provider) {
  const members = [...Grant.IN_PAYLOAD, 'webSessionId', 'browserId']
  Object.defineProperty(Grant, 'IN_PAYLOAD', { get: () => members })
}
