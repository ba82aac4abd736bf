import Provider from 'oidc-provider'
import limits from '#config/limits'
import { consume } from '#auth/lockout/rate_limit'
import { isFirstUse } from '#oidc/assertions/use_once'

/** How far ahead the provider lets the clock of a client be, in seconds (`CHALLENGE_OK_WINDOW`). */
const CLOCK_WINDOW = 300

/**
 * oidc-provider 9.13 reads a DPoP proof and then writes it: two uses at once both pass. It also
 * forgets a proof whose `iat` is in the future too early. Patched, one statement decides (RFC
 * 9449).
 */
export function rememberProofs({ ReplayDetection }: Provider) {
  ReplayDetection.unique = async (issuer, jti, exp) => {
    const { AccessToken: token } = Provider.ctx?.oidc.entities ?? {}
    const isUserinfo = Provider.ctx?.oidc.route === 'userinfo'
    if (isUserinfo) await consume(`userinfo-proof:{${token.grantId}}`, limits.userinfoProof)
    return isFirstUse({ issuer, jti, exp: exp + CLOCK_WINDOW })
  }
}
