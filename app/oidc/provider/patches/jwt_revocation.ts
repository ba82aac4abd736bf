import { revokeJwt } from '#oidc/tokens/revocation'
import type Provider from 'oidc-provider'

/**
 * oidc-provider 9.13 refuses to revoke a JWT after the client has authenticated. Patched, the JWT
 * is revoked (RFC 7009, section 2).
 */
export function revokeJwts(provider: Provider) {
  provider.use(async (ctx, next) => {
    await next()
    const isJwt = ctx.body?.error === 'unsupported_token_type'
    if (ctx.oidc?.route !== 'revocation' || !isJwt) return
    await revokeJwt(ctx)
    Object.assign(ctx, { status: 200, body: '' })
  })
}
