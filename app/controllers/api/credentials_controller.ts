import type { HttpContext } from '@adonisjs/core/http'
import { changePassword } from '#users/change_password'
import { revokeAccessToken } from '#auth/tokens/revocation'
import { actorOf } from '#http/request_origin'
import { changePasswordValidator, revokeValidator } from '#validators/auth'
import { bodyOf } from '#http/request_body'

/** The caller's own credentials: the password and the access token in hand. */
export default class CredentialsController {
  async changePassword(ctx: HttpContext) {
    const { id, sessionId } = ctx.auth.use('api').getUserOrFail()
    const passwords = await bodyOf(ctx, changePasswordValidator)
    const { endedSessions } = await changePassword({
      ...passwords,
      userId: id,
      sessionId,
      actor: actorOf(ctx),
    })
    return { message: 'Password changed', endedSessions }
  }

  async revoke(ctx: HttpContext) {
    const caller = ctx.auth.use('api').getUserOrFail()
    const { token } = await bodyOf(ctx, revokeValidator)
    await revokeAccessToken(token ?? ctx.auth.use('api').token, caller, actorOf(ctx))
    return { message: 'Token revoked' }
  }
}
