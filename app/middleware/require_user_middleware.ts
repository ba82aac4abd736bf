import type { HttpContext } from '@adonisjs/core/http'
import type { NextFn } from '@adonisjs/core/types/http'
import { askToSignIn } from '#pages/sign_in/ask_to_sign_in'
import { useLanguageOf } from '#pages/reader_language'

/** Views find the user, the session and the age of the proof as `caller`. */
export default class RequireUserMiddleware {
  async handle(ctx: HttpContext, next: NextFn) {
    if (!(await ctx.auth.use('web').check())) return askToSignIn(ctx)
    const caller = ctx.auth.use('web').getUserOrFail()
    useLanguageOf(ctx, caller.user)
    ctx.view.share({ caller })
    return next()
  }
}
