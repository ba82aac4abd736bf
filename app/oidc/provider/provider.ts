import type Provider from 'oidc-provider'
import type { Context } from 'oidc-provider'
import settings from '#config/oidc'
import { PROVIDER_KEYS } from '#oidc/tokens/provider_keys'
import { configuration } from './configuration.ts'
import { countTokens } from './count_tokens.ts'
import { FormPostProvider } from './form_post.ts'
import { loadGrant } from './load_grant.ts'
import { PATCHES } from './patches/index.ts'
import { reportRefusals } from './report_refusals.ts'

let provider: Provider | undefined

export function oidcProvider(): Provider {
  return (provider ??= build())
}

let callback: ReturnType<Provider['callback']> | undefined

/** Returns one callback for all requests. */
export function providerCallback() {
  return (callback ??= oidcProvider().callback())
}

function build() {
  const loadExistingGrant = (ctx: Context) => loadGrant(made, ctx)
  const made = new FormPostProvider(settings.issuer, {
    ...configuration(),
    loadExistingGrant,
    jwks: { keys: PROVIDER_KEYS },
  })
  made.proxy = true
  made.silent = true
  countTokens(made)
  for (const patch of PATCHES) patch(made)
  reportRefusals(made)
  return made
}
