import type { HttpContext } from '@adonisjs/core/http'
import { requestVerificationOfAddress } from '#users/request_verification'
import { forgotPasswordValidator } from '#validators/auth'
import { EMPTY_FORM, submit, type Form } from '#pages/forms/forms'
import { renderMailed } from '#pages/sign_in/sign_in_pages'

export default class VerificationRequestsController {
  create(ctx: HttpContext) {
    return this.#render(ctx, EMPTY_FORM)
  }

  async store(ctx: HttpContext) {
    const outcome = await submit(ctx, {
      validator: forgotPasswordValidator,
      action: async ({ email }) => {
        await requestVerificationOfAddress(email)
        return email
      },
      onError: (form) => this.#render(ctx, form),
    })
    return outcome.ok ? renderMailed(ctx, outcome.result) : outcome.page
  }

  #render({ view }: HttpContext, form: Form) {
    return view.render('sign_in/verification', { form })
  }
}
