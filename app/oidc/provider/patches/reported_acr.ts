import { reportedAcr } from '#oidc/tokens/acr'
import type Provider from 'oidc-provider'
import type { Context } from 'oidc-provider'

/**
 * oidc-provider 9.13 reports the class of the session, though an essential claim may accept only a
 * lower class. Patched, two factors count as one (OpenID Connect Core, section 5.5.1.1).
 */
export function reportRequestedAcr({ OIDCContext }: Provider) {
  Object.defineProperty(OIDCContext.prototype, 'acr', {
    get(this: Context['oidc']) {
      return reportedAcr(this.params, this.session.acr)
    },
  })
}
