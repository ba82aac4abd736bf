import type { HttpContext } from '@adonisjs/core/http'
import type { NextFn } from '@adonisjs/core/types/http'
import { requireSignIn } from '#pages/sign_in/require_sign_in'
import { useLanguageOf } from '#pages/reader_language'

/** Views find the user, the session and the age of the proof as `caller`. */
export default class RequireUserMiddleware {
  async handle(ctx: HttpContext, next: NextFn) {
    if (!(await ctx.auth.use('web').check())) return requireSignIn(ctx)
    const caller = ctx.auth.use('web').getUserOrFail()
    useLanguageOf(ctx, caller.user)
    ctx.view.share({ caller })
    return next()
  }
}
