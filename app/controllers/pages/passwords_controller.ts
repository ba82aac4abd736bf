import { resetPassword } from '#users/password_recovery'
import { throttleAddress } from '#auth/lockout/address_throttle'
import { originOf } from '#http/request_origin'
import { submit } from '#pages/forms'
import { renderPasswordForm } from '#pages/password_page'
import { passwordPageValidator } from '#validators/pages'
import { linkToken, renderMessage } from '#pages/link_pages'
import type { HttpContext } from '@adonisjs/core/http'
import type { Infer } from '@vinejs/vine/types'

/** Setting a password by the link of a mail: after a forgotten one, or the first of an invitation. */
export default class PasswordsController {
  create(ctx: HttpContext) {
    return renderPasswordForm(ctx, { input: { token: linkToken(ctx) }, errors: {} })
  }

  async store(ctx: HttpContext) {
    const outcome = await submit(ctx, {
      validator: passwordPageValidator,
      perform: (values) => this.#setPassword(ctx, values),
      again: (form) => renderPasswordForm(ctx, form),
    })
    if (!outcome.isDone) return outcome.page
    return renderMessage(ctx, {
      title: 'Your password is set',
      text: 'Sign in with it wherever you want to go on. You can close this page.',
    })
  }

  /** The throttle is a call here: the form shows its refusal. */
  async #setPassword(ctx: HttpContext, values: Infer<typeof passwordPageValidator>) {
    await throttleAddress('redeem', ctx.request.ip())
    return resetPassword(values, originOf(ctx))
  }
}
