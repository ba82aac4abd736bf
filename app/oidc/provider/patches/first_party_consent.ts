import type Provider from 'oidc-provider'
import type { Context } from 'oidc-provider'

/**
 * oidc-provider 9.13 drops `offline_access` without `prompt=consent`. Patched, first-party clients
 * get it: their users are never asked.
 */
export function excuseFirstParties({ OIDCContext }: Provider) {
  Object.defineProperty(OIDCContext.prototype, 'prompts', {
    get(this: Context['oidc']) {
      const prompts = new Set<string>(this.params.prompt?.split(' ') ?? [])
      const isFirstParty = this.client?.gatehouse.kind === 'first_party'
      return isFirstParty && !prompts.has('none') ? prompts.add('consent') : prompts
    },
  })
}
