import type { HttpContext } from '@adonisjs/core/http'
import { Refusal } from '#exceptions/refusal'
import { takeExternalOutcome } from '#http/external_outcome_cookie'
import { signInExternallyByPage } from '#pages/page_sign_in'
import { renderSignIn, respondToSignIn } from '#pages/sign_in_pages'

/** The end of an external login that a page has started. */
export default class ExternalSignInsController {
  async show(ctx: HttpContext) {
    const outcome = takeExternalOutcome(ctx)
    if (!outcome) return ctx.response.redirect().status(303).toPath('/sign-in')
    const { next } = outcome
    if ('problem' in outcome) return this.#renderProblem(ctx, outcome)
    try {
      return await respondToSignIn(ctx, await signInExternallyByPage(ctx, outcome.code), next)
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      return this.#renderProblem(ctx, { next, problem: error.message, status: error.status })
    }
  }

  #renderProblem(ctx: HttpContext, { next, problem, status }: Problem) {
    return renderSignIn(ctx, { next, status, form: { input: {}, errors: { form: [problem] } } })
  }
}

interface Problem {
  next: string
  problem: string
  status: number
}
