import limits from '#config/limits'
import { tryConsume } from '#auth/lockout/rate_limit'
import { hashToken } from '#auth/tokens/hash_token'
import type Provider from 'oidc-provider'

/**
 * oidc-provider 9.13 lets a device poll at any pace. Patched, a device that polls too soon must
 * wait longer (RFC 8628, section 3.5).
 */
export function slowDownDevices(provider: Provider) {
  provider.use(async (ctx, next) => {
    await next()
    if (ctx.body?.error !== 'authorization_pending') return
    const key = `device:{${hashToken(ctx.oidc.params.device_code)}}`
    if (await tryConsume(key, limits.devicePoll)) return
    ctx.body = { error: 'slow_down', error_description: 'ask five seconds less often' }
  })
}
