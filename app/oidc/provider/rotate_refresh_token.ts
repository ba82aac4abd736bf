import { errors } from 'oidc-provider'
import limits from '#config/limits'
import { consumeInSteps } from '#auth/lockout/limit_in_steps'
import { getsRefreshToken } from '#oidc/grants/refresh_tokens'
import { slowDown } from '#oidc/slow_down'
import type { Context } from 'oidc-provider'

/**
 * A stolen token of a public client shows when the thief and the client use it (RFC 9700, section
 * 4.14.2). @throws invalid_grant for a token that the client would not get any more
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
  return slowDown(ctx, 'too many refreshes of this session', async () => {
    const { grantId, resource, claims } = ctx.oidc.entities.RefreshToken
    /** A JWT, or a token without requested claims, stands in no table. */
    const isOpaque = resource === undefined && ctx.oidc.params.resource === undefined
    const isStored = isOpaque && claims !== undefined
    if (isRotated) await consumeInSteps(`rotation:{${grantId}}`, limits.rotation)
    else if (isStored) await consumeInSteps(`refresh:{${grantId}}`, limits.refresh)
  })
}
