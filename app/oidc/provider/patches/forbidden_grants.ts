import type Provider from 'oidc-provider'

const FORBIDDEN_GRANT = /^(?:requested grant type|urn:ietf:\S+) is not allowed for this client$/

/**
 * oidc-provider 9.13 answers `invalid_request` to a grant type that the client may not use. Patched,
 * the error is `unauthorized_client` (RFC 6749, section 5.2).
 */
export function nameForbiddenGrants(provider: Provider) {
  provider.use(async (ctx, next) => {
    await next()
    if (FORBIDDEN_GRANT.test(ctx.body?.error_description)) ctx.body.error = 'unauthorized_client'
  })
}
