import type { HttpContext } from '@adonisjs/core/http'
import settings from '#config/console'
import { originOf } from '#http/request_origin'
import { findWebCaller } from '#auth/sessions/web_session'
import { endSessionAs } from '#auth/sessions/end_session'
import { userActor } from '#audit/actor'
import { mfaChallengeValidator } from '#validators/auth'
import { consoleSignInValidator } from '#validators/admin'
import { signInToConsole, verifyAtConsole } from '#pages/console_sign_in'
import { forgetConfirmation } from '#pages/reauthentication'
import { submit } from '#pages/forms'
import { nextPath, rememberOwner } from '#pages/form_replay'
import { enter, renderCode, renderSignIn } from '#pages/sign_in_pages'

/** Signing in to the console and out of it: the engine and the limits of the API's login. */
export default class SignInController {
  async create(ctx: HttpContext) {
    if (await isSignedIn(ctx)) {
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
    return outcome.isDone ? enter(ctx, outcome.result) : outcome.page
  }

  async verify(ctx: HttpContext) {
    const { mfaToken } = ctx.request.body()
    const outcome = await submit(ctx, {
      validator: mfaChallengeValidator,
      fields: { E_INVALID_CODE: 'code' },
      perform: (step) => verifyAtConsole(ctx, step),
      again: (form) => renderCode(ctx, String(mfaToken), form),
    })
    return outcome.isDone ? enter(ctx, outcome.result) : outcome.page
  }

  async destroy(ctx: HttpContext) {
    const { user, session } = ctx.caller
    await endSessionAs(user.id, session.id, userActor(user.id, originOf(ctx)))
    forgetConfirmation(ctx)
    rememberOwner(ctx, user.id)
    ctx.response.clearCookie(settings.cookieName)
    return ctx.response.redirect().status(303).toPath('/admin/sign-in')
  }
}

async function isSignedIn({ request }: HttpContext) {
  const cookie: string = request.plainCookie(settings.cookieName, { encoded: false }) ?? ''
  const { outcome } = await findWebCaller(cookie)
  return outcome === 'signed_in'
}
