import type { HttpContext } from '@adonisjs/core/http'
import { changePassword } from '#users/change_password'
import { endSessionAs } from '#auth/sessions/end_session'
import { changePasswordValidator } from '#validators/auth'
import { redirectWithNotice } from '#pages/redirect'
import { submit } from '#pages/forms'
import { renderAccount } from '#pages/account_page'
import { actorOf } from '#http/request_origin'

/** The administrator's own account: its page, password and sessions. */
export default class AccountController {
  show(ctx: HttpContext) {
    return renderAccount(ctx)
  }

  async updatePassword(ctx: HttpContext) {
    const { user, session } = ctx.auth.use('web').getUserOrFail()
    const identity = { userId: user.id, sessionId: session.id, actor: actorOf(ctx) }
    const outcome = await submit(ctx, {
      validator: changePasswordValidator,
      fields: { E_INCORRECT_PASSWORD: 'currentPassword', E_SAME_PASSWORD: 'newPassword' },
      perform: (passwords) => changePassword({ ...passwords, ...identity }),
      again: (password) => renderAccount(ctx, { password }),
    })
    if (!outcome.isDone) return outcome.page
    return redirectWithNotice(
      ctx,
      '/admin/account',
      'The password was changed; other sessions have ended.'
    )
  }

  async endSession(ctx: HttpContext) {
    const { user } = ctx.auth.use('web').getUserOrFail()
    await endSessionAs(user.id, ctx.params.sessionId, actorOf(ctx))
    return redirectWithNotice(ctx, '/admin/account', 'The session was ended.')
  }
}
