import { sourceOf } from '#http/request_source'
import { resetPassword } from '#users/password_recovery'
import { requestPasswordReset } from '#users/request_password_reset'
import { listSignInMethods } from '#users/sign_in_methods'
import { throttleAddress } from '#auth/lockout/address_throttle'
import { forgotPasswordValidator, resetPasswordValidator } from '#validators/auth'
import { bodyOf } from '#http/request_body'
import type { HttpContext } from '@adonisjs/core/http'

/** A temporary password proves no second factor, so its token reveals no sign-in method. */
const NONE = { identities: [], passkeys: [], apiKeys: [] }

export default class RecoveryController {
  async forgotPassword(ctx: HttpContext) {
    const { email } = await bodyOf(ctx, forgotPasswordValidator)
    await throttleAddress('mail', ctx.request.ip())
    await requestPasswordReset(email, sourceOf(ctx))
    return ctx.response.accepted({
      message: 'If the address belongs to an account, a mail is on its way',
    })
  }

  async resetPassword(ctx: HttpContext) {
    const { newPassword, password, ...reset } = await bodyOf(ctx, resetPasswordValidator)
    const field = newPassword === undefined ? 'password' : 'newPassword'
    const chosen = { ...reset, password: (newPassword ?? password)!, field }
    const { user, mayRemove } = await resetPassword(chosen, sourceOf(ctx))
    return { message: 'Password set', ...(mayRemove ? await listSignInMethods(user.id) : NONE) }
  }
}
