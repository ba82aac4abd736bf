import Provider from 'oidc-provider'
import { successorOf } from '#oidc/grants/reuse'

/**
 * oidc-provider 9.13 makes another refresh token for each request. Patched, concurrent requests
 * with one token get one successor, so that a lost answer ends no session.
 */
export function issueSuccessors({ RefreshToken }: Provider) {
  const random = RefreshToken.prototype.generateTokenId
  RefreshToken.prototype.generateTokenId = function () {
    const rotated = Provider.ctx?.oidc.entities.RotatedRefreshToken
    return rotated ? successorOf(rotated.jti) : random.call(this)
  }
}
