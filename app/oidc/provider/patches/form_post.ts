import settings from '#config/oidc'
import type Provider from 'oidc-provider'

/**
 * oidc-provider 9.13 cannot switch `form_post` off, and sends errors by its page, whose inline script
 * our policy forbids. Patched, the mode has an unknown name, so that errors go by the default.
 */
export function refuseFormPost(provider: Provider) {
  provider.use(async (ctx, next) => {
    const { response_mode: mode } = ctx.query
    if (mode === 'form_post') ctx.query = { ...ctx.query, response_mode: 'form_post.refused' }
    await next()
    if (ctx.body?.response_modes_supported) Object.assign(ctx.body, ownDiscovery())
  })
}

/** What the discovery document of the provider does not say. */
function ownDiscovery() {
  const own = {
    response_modes_supported: ['query', 'fragment'],
    prompt_values_supported: ['none', 'login', 'consent'],
  }
  return settings.documents.isOn ? { ...own, client_id_metadata_document_supported: true } : own
}
