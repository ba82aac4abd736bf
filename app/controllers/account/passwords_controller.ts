import type { HttpContext } from '@adonisjs/core/http'
import { changePassword } from '#users/change_password'
import { changePasswordValidator } from '#validators/auth'
import { accountBase, redirectToAccount } from '#pages/account/account_page'
import { renderSecurity } from '#pages/account/security_page'
import { submit } from '#pages/forms/forms'
import { reauthenticationOf } from '#http/reauthentication'

const FIELDS = {
  E_INCORRECT_PASSWORD: 'currentPassword',
  E_INVALID_CODE: 'code',
  E_RECENT_LOGIN_REQUIRED: 'code',
  E_SAME_PASSWORD: 'newPassword',
}

export default class PasswordsController {
  /** Reauthenticates first, because a typed password is not saved during a reauthentication. */
  begin(ctx: HttpContext) {
    return ctx.response
      .redirect()
      .status(303)
      .toPath(`${accountBase(ctx)}/security`)
  }

  async update(ctx: HttpContext) {
    const outcome = await submit(ctx, {
      validator: changePasswordValidator,
      fields: FIELDS,
      action: ({ newPassword, ...credentials }) =>
        changePassword(reauthenticationOf(ctx, credentials), newPassword),
      onError: (password) => renderSecurity(ctx, { password }),
    })
    if (!outcome.ok) return outcome.page
    return redirectToAccount(ctx, { page: '/security', notice: 'password.changed' })
  }
}
