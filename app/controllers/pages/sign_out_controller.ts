import type { HttpContext } from '@adonisjs/core/http'
import { requestedNext, withNext } from '#pages/sign_in/next_path'
import { signOutOfBrowser } from '#pages/sign_in/web_sign_in'

/** A link only asks, because another site must not sign a visitor out. */
export default class SignOutController {
  async create(ctx: HttpContext) {
    if (await ctx.auth.use('web').check()) return ctx.view.render('sign_in/sign_out')
    return ctx.response.redirect().status(303).toPath('/sign-in')
  }

  async destroy(ctx: HttpContext) {
    await signOutOfBrowser(ctx)
    ctx.session.flash('notice', ctx.i18n.t('sign_in.sign_out.done'))
    return ctx.response.redirect().status(303).toPath(signInPath(ctx))
  }
}

/** “Use another account” leads back to the requested page. */
function signInPath(ctx: HttpContext) {
  return ctx.request.body().next ? withNext('/sign-in', requestedNext(ctx)) : '/sign-in'
}
