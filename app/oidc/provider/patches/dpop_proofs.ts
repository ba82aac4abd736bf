import Provider, { type Context } from 'oidc-provider'
import limits from '#config/limits'
import { consumeInSteps } from '#auth/lockout/limit_in_steps'
import { consume } from '#auth/lockout/rate_limit'
import { isFirstUse } from '#oidc/assertions/use_once'
import { hasSecret } from '#oidc/clients/client'
import { currentReads } from '#oidc/request_reads'
import { slowDown } from '#oidc/slow_down'

/** How far ahead the provider lets the clock of a client be, in seconds (`CHALLENGE_OK_WINDOW`). */
const CLOCK_WINDOW = 300

/**
 * oidc-provider 9.13 reads a DPoP proof and then writes it: two uses at once both pass. It also
 * forgets a proof whose `iat` is in the future too early. Patched, one statement decides (RFC
 * 9449).
 */
export function rememberProofs({ ReplayDetection }: Provider) {
  ReplayDetection.unique = async (issuer, jti, exp) => {
    await countProof()
    return isFirstUse({ issuer, jti, exp: exp + CLOCK_WINDOW })
  }
}

/** Each stores a row. Assertions of clients have a limit of their own, and so do other endpoints. */
async function countProof() {
  const { ctx } = Provider
  if (ctx?.oidc.route === 'token') return countForTokens(ctx)
  if (ctx?.oidc.route !== 'userinfo') return
  const { grantId } = ctx.oidc.entities.AccessToken
  await consume(`userinfo-proof:{${grantId}}`, limits.userinfoProof)
}

async function countForTokens(ctx: Context) {
  const { clientAuthMethod: tokenEndpointAuthMethod, clientId } = ctx.oidc.client
  const owner =
    currentReads().grant?.jti ?? (hasSecret({ tokenEndpointAuthMethod }) ? clientId : null)
  if (owner === null) return
  const count = () => consumeInSteps(`token-proof:{${owner}}`, limits.tokenProof)
  await slowDown(ctx, 'too many proofs of possession', count)
}
