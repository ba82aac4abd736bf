import type { Infer } from '@vinejs/vine/types'
import type { HttpContext } from '@adonisjs/core/http'
import signUp from '#config/sign_up'
import { throttleAddress } from '#auth/lockout/address_throttle'
import { sourceOf } from '#http/request_source'
import { EMPTY_FORM, submit, type Form } from '#pages/forms/forms'
import { renderMessage } from '#pages/sign_in/link_pages'
import { withNext, requestedNext } from '#pages/sign_in/next_path'
import { newUserLocale } from '#pages/reader_language'
import { renderMailed } from '#pages/sign_in/sign_in_pages'
import { registerOrNotifyOwner } from '#users/register'
import { ensureShownSettings } from '#settings/values/ensure_settings'
import { registerValidator } from '#validators/auth'

export default class SignUpController {
  async create(ctx: HttpContext) {
    if (await ctx.auth.use('web').check()) {
      return ctx.response.redirect().status(303).toPath(requestedNext(ctx))
    }
    return this.#render(ctx, EMPTY_FORM)
  }

  /** Shows one answer for free and taken addresses: it must not reveal who has an account. */
  async store(ctx: HttpContext) {
    const outcome = await submit(ctx, {
      validator: registerValidator,
      action: (values) => this.#register(ctx, values),
      onError: (form) => this.#render(ctx, form),
    })
    return outcome.ok ? renderMailed(ctx, outcome.result) : outcome.page
  }

  async #register(ctx: HttpContext, values: Infer<typeof registerValidator>) {
    await throttleAddress('register', ctx.request.ip())
    await registerOrNotifyOwner({ ...values, locale: newUserLocale(ctx) }, sourceOf(ctx))
    return values.email
  }

  async #render(ctx: HttpContext, form: Form) {
    await ensureShownSettings()
    const next = requestedNext(ctx)
    if (!signUp.isOpen) return this.#renderClosed(ctx, next)
    const domains = signUp.domains.join(', ')
    return ctx.view.render('sign_in/sign_up', { form, next, domains })
  }

  #renderClosed(ctx: HttpContext, next: string) {
    const { i18n } = ctx
    const link = { path: withNext('/sign-in', next), text: i18n.t('sign_in.sign_up.to_sign_in') }
    const title = i18n.t('sign_in.sign_up.closed_title')
    return renderMessage(ctx, { title, text: i18n.t('sign_in.sign_up.closed_text'), link })
  }
}
