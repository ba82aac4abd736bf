import type { HttpContext } from '@adonisjs/core/http'
import type { NextFn } from '@adonisjs/core/types/http'
import { canProveTwoFactors, needsTwoFactors } from '#auth/sessions/required_factors'
import { hasTwoFactors } from '#auth/sessions/authentication'
import { requireConsoleReauthentication } from '#pages/reauthentication/reauthentication'

/** The enrolment itself must stay open. */
const OPEN_PAGES = /^\/admin\/account(\/|$)/

/** With `ADMIN_REQUIRE_MFA` administrators enrol a second factor first and use it in each session. */
export default class RequireMfaMiddleware {
  handle(ctx: HttpContext, next: NextFn) {
    const { user, session } = ctx.auth.use('web').getUserOrFail()
    const isOpen = !needsTwoFactors(user) || OPEN_PAGES.test(ctx.request.url())
    if (isOpen) return next()
    if (!canProveTwoFactors(user))
      return ctx.response.redirect().status(303).toPath('/admin/account/security')
    return hasTwoFactors(session) ? next() : requireConsoleReauthentication(ctx)
  }
}
