import type { HttpContext } from '@adonisjs/core/http'
import type { NextFn } from '@adonisjs/core/types/http'
import settings from '#config/console'
import { findConsoleCaller, type ConsoleCaller } from '#auth/sessions/web_session'
import { formOwner, keepForm, restoreForm } from '#pages/form_replay'
import { renderSignIn } from '#pages/sign_in_pages'

declare module '@adonisjs/core/http' {
  interface HttpContext {
    /** Who is signed in to the console, on its pages. */
    caller: ConsoleCaller
  }
}

const SIGNED_OUT = 'You were signed out. Sign in to go on with what you were doing.'

/** Lets administrators pass and asks everybody else to sign in, keeping the form they sent. */
export default class AdministratorMiddleware {
  async handle(ctx: HttpContext, next: NextFn) {
    const cookie: string = ctx.request.plainCookie(settings.cookieName, { encoded: false }) ?? ''
    const standing = await findConsoleCaller(cookie)
    if (standing.outcome !== 'signed_in') return this.#askToSignIn(ctx, cookie)
    const { user, session } = standing
    ctx.caller = { user, session }
    ctx.view.share({ administrator: user })
    if (owesEnrolment(ctx)) return ctx.response.redirect().status(303).toPath('/admin/account')
    restoreForm(ctx)
    return next()
  }

  async #askToSignIn(ctx: HttpContext, cookie: string) {
    ctx.response.clearCookie(settings.cookieName)
    const wasSignedIn = cookie !== ''
    if (ctx.request.method() === 'POST') {
      const resume = keepForm(ctx, formOwner(ctx, cookie))
      const page = { status: 401, notice: SIGNED_OUT, resume }
      return ctx.response.send(await renderSignIn(ctx, page))
    }
    if (wasSignedIn) ctx.session.flash('signedOut', SIGNED_OUT)
    return ctx.response.redirect().toPath(`/admin/sign-in?${signInQuery(ctx)}`)
  }
}

/** Where a second factor is required, its enrolment comes before everything else. */
function owesEnrolment({ request, caller }: HttpContext) {
  const isOpen = /^\/admin\/(account(\/|$)|sign-out$)/.test(request.url())
  return settings.requiresMfa && !caller.user.mfaEnabled && !isOpen
}

function signInQuery({ request }: HttpContext) {
  return new URLSearchParams({ next: request.url(true) }).toString()
}
