import type Provider from 'oidc-provider'
import type { Context } from 'oidc-provider'

/** Claims to contain the prompt `consent`, but does not list it. */
class Prompts extends Set<string> {
  override has(prompt: string) {
    return prompt === 'consent' || super.has(prompt)
  }
}

/**
 * oidc-provider 9.13 drops `offline_access` without `prompt=consent`. Patched, it is consented to like
 * any other scope (OpenID Connect Core, section 11).
 */
export function keepOfflineAccess({ OIDCContext }: Provider) {
  Object.defineProperty(OIDCContext.prototype, 'prompts', {
    get(this: Context['oidc']) {
      return new Prompts(this.params.prompt?.split(' '))
    },
  })
}
