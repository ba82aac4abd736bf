import type { HttpContext } from '@adonisjs/core/http'
import { takeExternalOutcome } from '#http/external_outcome_cookie'
import { errorsOf, type FormErrors } from '#pages/form_errors'
import { signInExternallyByPage } from '#pages/page_sign_in'
import { renderSignIn, respondToSignIn } from '#pages/sign_in_pages'

/** The end of an external login that a page has started. */
export default class ExternalSignInsController {
  async show(ctx: HttpContext) {
    const outcome = takeExternalOutcome(ctx)
    if (!outcome) return ctx.response.redirect().status(303).toPath('/sign-in')
    const { next } = outcome
    if ('code' in outcome) return this.#signIn(ctx, outcome)
    const { code, message, status } = outcome.problem
    const text = ctx.i18n.t(`errors.codes.${code}`, {}, message)
    return this.#renderErrors(ctx, { next, status, errors: { form: [text] } })
  }

  async #signIn(ctx: HttpContext, { code, next }: { code: string; next: string }) {
    try {
      return await respondToSignIn(ctx, await signInExternallyByPage(ctx, code), next)
    } catch (error) {
      const errors = errorsOf(error, {}, ctx.i18n)
      if (!errors) throw error
      return this.#renderErrors(ctx, { next, status: error.status, errors })
    }
  }

  #renderErrors(ctx: HttpContext, { next, status, errors }: Problem) {
    return renderSignIn(ctx, { next, status, form: { input: {}, errors } })
  }
}

interface Problem {
  next: string
  status: number
  errors: FormErrors
}
