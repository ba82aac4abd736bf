import type { HttpContext } from '@adonisjs/core/http'
import { providerNames } from '#auth/external/providers'
import { E_NOT_FOUND } from '#exceptions/http_errors'
import { pullExternalOutcome } from '#http/external_outcome_cookie'
import { codeText, errorsOf, type FormErrors } from '#pages/forms/form_errors'
import { renderConfirmation } from '#pages/reauthentication/reauthentication'
import { renderExternalQuestion } from '#pages/sign_in/external_question'
import { signInExternallyByPage } from '#pages/sign_in/page_sign_in'
import { renderSignIn, respondToSignIn } from '#pages/sign_in/sign_in_pages'
import { ensureShownSettings } from '#settings/values/ensure_settings'

export default class ExternalSignInsController {
  async ask(ctx: HttpContext) {
    const { provider } = ctx.params
    await ensureShownSettings()
    if (!providerNames().includes(provider)) throw new E_NOT_FOUND()
    return renderExternalQuestion(ctx, provider)
  }

  async show(ctx: HttpContext) {
    const outcome = pullExternalOutcome(ctx)
    if (!outcome) return ctx.response.redirect().status(303).toPath('/sign-in')
    const { next } = outcome
    if ('code' in outcome) return this.#signIn(ctx, outcome)
    const { code, message, status } = outcome.problem
    const text = codeText(code, ctx.i18n, message)
    const problem = { next, status, errors: { form: [text] } }
    if (code === 'E_EXTERNAL_NOT_RECENT') return this.#askAgain(ctx, problem)
    return this.#renderErrors(ctx, problem)
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

  /** The session continues, and may be confirmed in another way. */
  async #askAgain(ctx: HttpContext, problem: Problem) {
    if (!(await ctx.auth.use('web').check())) return this.#renderErrors(ctx, problem)
    ctx.response.status(problem.status)
    const { next, errors } = problem
    return renderConfirmation(ctx, { next, form: { input: {}, errors } })
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
