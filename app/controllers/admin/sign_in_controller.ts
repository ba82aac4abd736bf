import type { HttpContext } from '@adonisjs/core/http'
import { originOf } from '#http/request_origin'
import { clearSessionCookie } from '#auth/guards/web/session_cookie'
import { endSessionAs } from '#auth/sessions/end_session'
import { userActor } from '#audit/actor'
import { mfaChallengeValidator } from '#validators/mfa'
import { consoleSignInValidator } from '#validators/admin'
import { signInToConsole, verifyAtConsole } from '#pages/console_sign_in'
import { submit } from '#pages/forms'
import { nextPath, rememberOwner } from '#pages/form_replay'
import { renderCode, renderSignIn, respondToSignIn } from '#pages/sign_in_pages'

/** Signing in to the console and out of it, with the sign-in and the limits of the API. */
export default class SignInController {
  async create(ctx: HttpContext) {
    if (await ctx.auth.use('web').check()) {
      return ctx.response.redirect().status(303).toPath(nextPath(ctx.request.qs().next))
    }
    return renderSignIn(ctx, { notice: ctx.session.flashMessages.get('signedOut') })
  }

  async store(ctx: HttpContext) {
    const { savedForm } = ctx.request.body()
    const outcome = await submit(ctx, {
      validator: consoleSignInValidator,
      perform: (credentials) => signInToConsole(ctx, credentials),
      again: (form) => renderSignIn(ctx, { form, savedForm }),
    })
    return outcome.isDone ? respondToSignIn(ctx, outcome.result) : outcome.page
  }

  async verify(ctx: HttpContext) {
    const { mfaToken } = ctx.request.body()
    const outcome = await submit(ctx, {
      validator: mfaChallengeValidator,
      fields: { E_INVALID_CODE: 'code' },
      perform: (step) => verifyAtConsole(ctx, step),
      again: (form) => renderCode(ctx, String(mfaToken), form),
    })
    return outcome.isDone ? respondToSignIn(ctx, outcome.result) : outcome.page
  }

  async destroy(ctx: HttpContext) {
    const { user, session } = ctx.auth.use('web').getUserOrFail()
    await endSessionAs(user.id, session.id, userActor(user.id, originOf(ctx)))
    rememberOwner(ctx, user.id)
    clearSessionCookie(ctx)
    return ctx.response.redirect().status(303).toPath('/admin/sign-in')
  }
}
