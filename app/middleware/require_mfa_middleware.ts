import type { HttpContext } from '@adonisjs/core/http'
import type { NextFn } from '@adonisjs/core/types/http'
import settings from '#config/mfa'

/** The page that stays open until the second factor is enrolled: the enrolment itself. */
const OPEN_PAGES = /^\/admin\/account(\/|$)/

/** With `ADMIN_REQUIRE_MFA`, sends administrators without a second factor or a passkey to its enrolment. */
export default class RequireMfaMiddleware {
  handle(ctx: HttpContext, next: NextFn) {
    if (mustEnrolMfa(ctx))
      return ctx.response.redirect().status(303).toPath('/admin/account/security')
    return next()
  }
}

function mustEnrolMfa({ auth, request }: HttpContext) {
  if (!settings.isRequiredOfAdmins || OPEN_PAGES.test(request.url())) return false
  const { mfaEnabled, hasPasskey } = auth.use('web').getUserOrFail().user
  return !mfaEnabled && !hasPasskey
}
