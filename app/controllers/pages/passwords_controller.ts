import { resetPassword } from '#users/password_recovery'
import { throttleAddress } from '#auth/lockout/address_throttle'
import { originOf } from '#http/request_origin'
import { submit } from '#pages/forms'
import { withNext } from '#pages/next_path'
import { givenNext, renderPasswordForm } from '#pages/password_page'
import { passwordPageValidator } from '#validators/pages'
import { linkToken, renderMessage, wayOn } from '#pages/link_pages'
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
      title: ctx.i18n.t('links.set.title'),
      text: ctx.i18n.t('links.set.text'),
      link: this.#nextStep(ctx),
    })
  }

  /** Back to the sign-in that asked for another password; otherwise where every mailed link leads. */
  #nextStep(ctx: HttpContext) {
    const next = givenNext(ctx)
    return next
      ? { path: withNext('/sign-in', next), text: ctx.i18n.t('links.to_sign_in') }
      : wayOn(ctx)
  }

  /** The throttle is a call here: the form shows its refusal. */
  async #setPassword(ctx: HttpContext, values: Infer<typeof passwordPageValidator>) {
    await throttleAddress('redeem', ctx.request.ip())
    return resetPassword(values, originOf(ctx))
  }
}
