import type { HttpContext } from '@adonisjs/core/http'
import { mfaChallengeValidator } from '#validators/mfa'
import { signInValidator } from '#validators/pages'
import { signInByPage, verifyByPage } from '#pages/sign_in/page_sign_in'
import { submit } from '#pages/forms/forms'
import { nextPath, requestedNext, withNext } from '#pages/sign_in/next_path'
import { renderCode, renderSignIn, respondToSignIn } from '#pages/sign_in/sign_in_pages'

export default class SignInController {
  async create(ctx: HttpContext) {
    if (await ctx.auth.use('web').check()) {
      return ctx.response.redirect().status(303).toPath(requestedNext(ctx))
    }
    return renderSignIn(ctx, { notice: ctx.session.flashMessages.get('signedOut') })
  }

  /** The previous URL of the console's own sign-in. */
  fromConsole(ctx: HttpContext) {
    const next = nextPath(ctx.request.qs().next ?? '/admin')
    return ctx.response.redirect().status(303).toPath(withNext('/sign-in', next))
  }

  async store(ctx: HttpContext) {
    const { savedForm } = ctx.request.body()
    const outcome = await submit(ctx, {
      validator: signInValidator,
      action: (credentials) => signInByPage(ctx, credentials),
      onError: (form) => renderSignIn(ctx, { form, savedForm }),
    })
    return outcome.ok ? respondToSignIn(ctx, outcome.result) : outcome.page
  }

  async verify(ctx: HttpContext) {
    const { mfaToken } = ctx.request.body()
    const outcome = await submit(ctx, {
      validator: mfaChallengeValidator,
      fields: { E_INVALID_CODE: 'code' },
      action: (step) => verifyByPage(ctx, step),
      onError: (form) => renderCode(ctx, String(mfaToken), { form }),
    })
    return outcome.ok ? respondToSignIn(ctx, outcome.result) : outcome.page
  }
}
