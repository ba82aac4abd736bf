import type { HttpContext } from '@adonisjs/core/http'
import { requestPasswordReset } from '#users/request_password_reset'
import { throttleAddress } from '#auth/lockout/address_throttle'
import { sourceOf } from '#http/request_source'
import { forgotPasswordValidator } from '#validators/auth'
import { EMPTY_FORM, submit, type Form } from '#pages/forms/forms'
import { renderMessage } from '#pages/sign_in/link_pages'

export default class ForgottenPasswordsController {
  create({ view }: HttpContext, form: Form = EMPTY_FORM) {
    return view.render('pages/forgot_password', { form })
  }

  /** Shows one answer for every address, because it must not reveal who has an account. */
  async store(ctx: HttpContext) {
    const outcome = await submit(ctx, {
      validator: forgotPasswordValidator,
      action: ({ email }) => this.#request(ctx, email),
      onError: (form) => this.create(ctx, form),
    })
    if (!outcome.ok) return outcome.page
    return renderMessage(ctx, {
      title: ctx.i18n.t('sign_in.mailbox.title'),
      text: ctx.i18n.t('links.forgot.sent'),
      link: { path: '/sign-in', text: ctx.i18n.t('sign_in.sign_up.to_sign_in') },
    })
  }

  /** Calls the throttle and uses no middleware, so that the form shows its refusal. */
  async #request(ctx: HttpContext, email: string) {
    await throttleAddress('mail', ctx.request.ip())
    await requestPasswordReset(email, sourceOf(ctx))
  }
}
