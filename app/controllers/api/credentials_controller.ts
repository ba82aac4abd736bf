import type { HttpContext } from '@adonisjs/core/http'
import { changePassword } from '#users/change_password'
import { readRevocableTokenOrFail, revokeAccessToken } from '#auth/tokens/revocation'
import UserPolicy from '#policies/user_policy'
import { reauthenticationOf } from '#http/reauthentication'
import { actorOf } from '#http/request_source'
import { changePasswordValidator, revokeValidator } from '#validators/auth'
import { bodyOf } from '#http/request_body'

export default class CredentialsController {
  async changePassword(ctx: HttpContext) {
    const { newPassword, ...credentials } = await bodyOf(ctx, changePasswordValidator)
    const { endedSessions } = await changePassword(
      reauthenticationOf(ctx, credentials),
      newPassword
    )
    return { message: 'Password changed', endedSessions }
  }

  /** The body may name a token other than the one that authenticates the request. */
  async revoke(ctx: HttpContext) {
    const { token = ctx.auth.use('api').token } = await bodyOf(ctx, revokeValidator)
    const claims = await readRevocableTokenOrFail(token)
    await ctx.bouncer.with(UserPolicy).authorize('revokeToken', claims.sub)
    await revokeAccessToken(claims, actorOf(ctx))
    return { message: 'Token revoked' }
  }
}
