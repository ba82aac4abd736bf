import settings from '#config/oidc'
import { localeOptions } from '#i18n/locales'
import { ASSERTION_ALGORITHMS } from '#oidc/assertions/client_keys'
import { AUTH_METHODS } from '#oidc/clients/client'
import type Provider from 'oidc-provider'

/** oidc-provider 9.13 leaves these members out, or puts them in another order. */
export function completeDiscovery(provider: Provider) {
  provider.use(async (ctx, next) => {
    await next()
    if (ctx.body?.response_modes_supported) Object.assign(ctx.body, ownDiscovery())
  })
}

function ownDiscovery() {
  const own = {
    response_modes_supported: ['query', 'fragment', 'form_post'],
    prompt_values_supported: ['none', 'login', 'select_account', 'consent'],
    request_parameter_supported: false,
    ui_locales_supported: localeOptions().map(({ value }) => value),
    introspection_endpoint_auth_methods_supported: AUTH_METHODS.filter((each) => each !== 'none'),
    introspection_endpoint_auth_signing_alg_values_supported: ASSERTION_ALGORITHMS,
    revocation_endpoint_auth_methods_supported: AUTH_METHODS,
    revocation_endpoint_auth_signing_alg_values_supported: ASSERTION_ALGORITHMS,
  }
  return settings.documents.isOn ? { ...own, client_id_metadata_document_supported: true } : own
}
