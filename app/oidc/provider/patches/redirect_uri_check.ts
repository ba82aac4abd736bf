import type Provider from 'oidc-provider'

/**
 * oidc-provider 9.13 remembers that it checked the redirect address. Patched, it checks again before
 * it sends an error there: the address may be removed while a user is asked.
 */
export function checkRedirectUrisAgain({ OIDCContext }: Provider) {
  const never = { get: () => false, set() {} }
  Object.defineProperty(OIDCContext.prototype, 'redirectUriCheckPerformed', never)
}
