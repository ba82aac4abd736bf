import type { HttpContext } from '@adonisjs/core/http'
import type { NextFn } from '@adonisjs/core/types/http'
import settings from '#config/console'
import { findWebCaller, type WebCaller } from '#auth/sessions/web_session'
import { formOwner, saveForm, restoreForm } from '#pages/form_replay'
import { renderSignIn } from '#pages/sign_in_pages'

declare module '@adonisjs/core/http' {
  interface HttpContext {
    /** Who is signed in to the console, on its pages. */
    caller: WebCaller
  }
}

const SIGNED_OUT = 'You were signed out. Sign in to go on with what you were doing.'

/** Lets administrators pass and asks everybody else to sign in, keeping the form they sent. */
export default class AdministratorMiddleware {
  async handle(ctx: HttpContext, next: NextFn) {
    const cookie: string = ctx.request.plainCookie(settings.cookieName, { encoded: false }) ?? ''
    const tokenStatus = await findWebCaller(cookie)
    if (tokenStatus.outcome !== 'signed_in') return this.#askToSignIn(ctx, cookie)
    const { user, session } = tokenStatus
    ctx.caller = { user, session }
    ctx.view.share({ administrator: user })
    if (mustEnrolMfa(ctx)) return ctx.response.redirect().status(303).toPath('/admin/account')
    restoreForm(ctx)
    return next()
  }

  async #askToSignIn(ctx: HttpContext, cookie: string) {
    ctx.response.clearCookie(settings.cookieName)
    const wasSignedIn = cookie !== ''
    if (ctx.request.method() === 'POST') {
      const savedForm = saveForm(ctx, formOwner(ctx, cookie))
      const page = { status: 401, notice: SIGNED_OUT, savedForm }
      return ctx.response.send(await renderSignIn(ctx, page))
    }
    if (wasSignedIn) ctx.session.flash('signedOut', SIGNED_OUT)
    return ctx.response.redirect().toPath(`/admin/sign-in?${signInQuery(ctx)}`)
  }
}

/** Where a second factor is required, its enrolment comes before everything else. */
function mustEnrolMfa({ request, caller }: HttpContext) {
  const isOpen = /^\/admin\/(account(\/|$)|sign-out$)/.test(request.url())
  return settings.requiresMfa && !caller.user.mfaEnabled && !isOpen
}

function signInQuery({ request }: HttpContext) {
  return new URLSearchParams({ next: request.url(true) }).toString()
}
