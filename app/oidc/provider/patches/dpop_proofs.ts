import Provider, { type Context } from 'oidc-provider'
import limits from '#config/limits'
import { consumeInSteps } from '#auth/lockout/limit_in_steps'
import { consume } from '#auth/lockout/rate_limit'
import { isFirstUse } from '#oidc/assertions/use_once'
import { hasSecret } from '#oidc/clients/client'
import { currentReads } from '#oidc/request_reads'
import { withSlowDown } from '#oidc/slow_down'

/** How many seconds the clock of a client may be ahead (`CHALLENGE_OK_WINDOW`). */
const CLOCK_WINDOW = 300

/**
 * oidc-provider 9.13 reads a DPoP proof and then writes it: two concurrent uses both pass. It also
 * forgets a proof too early if its `iat` is in the future. Patched, one statement decides (RFC
 * 9449).
 */
export function preventProofReplay({ ReplayDetection }: Provider) {
  ReplayDetection.unique = async (issuer, jti, exp) => {
    await countProof()
    return isFirstUse({ issuer, jti, exp: exp + CLOCK_WINDOW })
  }
}

/** Each proof stores a row. Client assertions and other endpoints have their own limits. */
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
  await withSlowDown(ctx, 'too many proofs of possession', count)
}
