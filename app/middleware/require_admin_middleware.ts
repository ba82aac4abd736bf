import type { HttpContext } from '@adonisjs/core/http'
import type { NextFn } from '@adonisjs/core/types/http'
import type { Authenticators } from '@adonisjs/auth/types'
import { E_FORBIDDEN } from '#exceptions/http_errors'
import { isEnrolledAdmin } from '#auth/administrators'
import { askToSignIn } from '#pages/ask_to_sign_in'
import { useLanguageOf } from '#pages/reader_language'

/**
 * Lets administrators pass. The API answers 403 to other users before it looks for the
 * target, so that the answer does not tell whether the target exists. Pages ask everyone
 * else to sign in.
 */
export default class RequireAdminMiddleware {
  async handle(ctx: HttpContext, next: NextFn, { guard }: { guard: keyof Authenticators }) {
    if (guard === 'api') await this.#assertAdmin(ctx)
    else if (await ctx.auth.use('web').check()) this.#share(ctx)
    else return askToSignIn(ctx)
    return next()
  }

  async #assertAdmin({ auth }: HttpContext) {
    const { user } = auth.use('api').getUserOrFail()
    if (!(await isEnrolledAdmin(user))) throw new E_FORBIDDEN()
  }

  /** The guard lets administrators pass only. */
  #share(ctx: HttpContext) {
    const { user } = ctx.auth.use('web').getUserOrFail()
    useLanguageOf(ctx, user)
    if (!user.isAdmin) throw new E_FORBIDDEN()
    ctx.view.share({ administrator: user })
  }
}
