import type { HttpContext } from '@adonisjs/core/http'
import { changePassword } from '#users/change_password'
import { endSessionAs } from '#auth/sessions/end_session'
import { changePasswordValidator } from '#validators/auth'
import { redirectWithNotice } from '#pages/redirect'
import { submit } from '#pages/forms'
import { renderAccount } from '#pages/account_page'
import { provingCallerOf } from '#http/proving_caller'
import { actorOf } from '#http/request_origin'

const FIELDS = {
  E_INCORRECT_PASSWORD: 'currentPassword',
  E_INVALID_CODE: 'code',
  E_RECENT_LOGIN_REQUIRED: 'code',
  E_SAME_PASSWORD: 'newPassword',
}

/** The administrator's own account: its page, password and sessions. */
export default class AccountController {
  show(ctx: HttpContext) {
    return renderAccount(ctx)
  }

  async updatePassword(ctx: HttpContext) {
    const outcome = await submit(ctx, {
      validator: changePasswordValidator,
      fields: FIELDS,
      perform: ({ newPassword, ...proof }) =>
        changePassword(provingCallerOf(ctx, proof), newPassword),
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
