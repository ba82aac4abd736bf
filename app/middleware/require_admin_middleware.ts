import type { HttpContext } from '@adonisjs/core/http'
import type { NextFn } from '@adonisjs/core/types/http'
import type { Authenticators } from '@adonisjs/auth/types'
import { E_FORBIDDEN } from '#exceptions/http_errors'
import { ADMIN_ROLE } from '#models/user'
import { askToSignIn } from '#pages/ask_to_sign_in'

/**
 * Lets administrators pass. The API answers 403 to other users before it looks for the
 * target, so that the answer does not tell whether the target exists. Pages ask everyone
 * else to sign in.
 */
export default class RequireAdminMiddleware {
  async handle(ctx: HttpContext, next: NextFn, { guard }: { guard: keyof Authenticators }) {
    if (guard === 'web' && !(await ctx.auth.use('web').check())) return askToSignIn(ctx)
    const { user } = ctx.auth.use(guard).getUserOrFail()
    if (user.role !== ADMIN_ROLE) throw new E_FORBIDDEN()
    if (guard === 'web') ctx.view.share({ administrator: user })
    return next()
  }
}
