import { errors } from 'oidc-provider'
import limits from '#config/limits'
import { consumeInSteps } from '#auth/lockout/limit_in_steps'
import { getsRefreshToken } from '#oidc/grants/refresh_tokens'
import { withSlowDown } from '#oidc/slow_down'
import type { Context } from 'oidc-provider'

/**
 * Rotation reveals a stolen token of a public client when the thief and the client both use it
 * (RFC 9700, section 4.14.2). @throws invalid_grant if the client no longer gets refresh tokens
 */
export async function rotateRefreshToken(ctx: Context) {
  const { RefreshToken: token, Client: client } = ctx.oidc.entities
  if (!getsRefreshToken(client, [...token.scopes]))
    throw new errors.InvalidGrant('the client gets no refresh tokens any more')
  const isRotated = client.clientAuthMethod === 'none' && !token.isSenderConstrained()
  await assertMayRefresh(ctx, { isRotated })
  return isRotated
}

function assertMayRefresh(ctx: Context, { isRotated }: { isRotated: boolean }) {
  return withSlowDown(ctx, 'too many refreshes of this session', async () => {
    const { grantId, resource, claims } = ctx.oidc.entities.RefreshToken
    /** No table stores a JWT or a token without requested claims. */
    const isOpaque = resource === undefined && ctx.oidc.params.resource === undefined
    const isStored = isOpaque && claims !== undefined
    if (isRotated) await consumeInSteps(`rotation:{${grantId}}`, limits.rotation)
    else if (isStored) await consumeInSteps(`refresh:{${grantId}}`, limits.refresh)
  })
}
