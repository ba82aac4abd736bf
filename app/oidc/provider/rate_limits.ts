import limits from '#config/limits'
import { consume, isWithin } from '#auth/lockout/rate_limit'
import { hashToken } from '#auth/tokens/hash_token'
import { slowDown } from '#oidc/slow_down'
import type Provider from 'oidc-provider'
import type { Context } from 'oidc-provider'

/**
 * Asked before a refresh token is used up, so that a client may try again later. A token for
 * another service is stored nowhere.
 *
 * @throws slow_down with 429
 */
export function assertMayRefresh(ctx: Context, { isRotated }: { isRotated: boolean }) {
  return slowDown(ctx, 'too many refreshes of this session', async () => {
    const { grantId, resource } = ctx.oidc.entities.RefreshToken
    const isStored = resource === undefined && ctx.oidc.params.resource === undefined
    if (isRotated) await consume(`rotation:{${grantId}}`, limits.rotation)
    else if (isStored) await consume(`refresh:{${grantId}}`, limits.refresh)
  })
}

/** A device that asks again too soon waits longer from then on (RFC 8628, section 3.5). */
export function slowDownDevices(provider: Provider) {
  provider.use(async (ctx, next) => {
    await next()
    if (ctx.body?.error !== 'authorization_pending') return
    const key = `device:{${hashToken(ctx.oidc.params.device_code)}}`
    if (await isWithin(key, limits.devicePoll)) return
    ctx.body = { error: 'slow_down', error_description: 'ask five seconds less often' }
  })
}
