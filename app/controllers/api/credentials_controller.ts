import type { HttpContext } from '@adonisjs/core/http'
import { changePassword } from '#auth/accounts/credentials'
import { revokeAccessToken } from '#auth/tokens/revocation'
import { actorOf } from '#controllers/request_origin'
import { changePasswordValidator, revokeValidator } from '#validators/auth'
import { bodyOf } from './request_body.ts'

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
