import type { HttpContext } from '@adonisjs/core/http'
import type { NextFn } from '@adonisjs/core/types/http'
import type { Authenticators } from '@adonisjs/auth/types'
import { E_FORBIDDEN } from '#exceptions/http_errors'
import { isEnrolledAdmin } from '#auth/guards/api/administrators'
import {
  hasConsoleReauthentication,
  noteConsoleUse,
} from '#pages/reauthentication/console_reauthentication'
import { requireConsoleReauthentication } from '#pages/reauthentication/reauthentication'

/** Answers 403 before the target is looked up, so that the answer does not reveal whether it exists. */
export default class RequireAdminMiddleware {
  handle(ctx: HttpContext, next: NextFn, { guard }: { guard: keyof Authenticators }) {
    return guard === 'api' ? this.#openApi(ctx, next) : this.#openConsole(ctx, next)
  }

  async #openApi({ auth }: HttpContext, next: NextFn) {
    const caller = auth.use('api').getUserOrFail()
    if (!(await isEnrolledAdmin(caller))) throw new E_FORBIDDEN()
    return next()
  }

  #openConsole(ctx: HttpContext, next: NextFn) {
    const { user } = ctx.auth.use('web').getUserOrFail()
    if (!user.isAdmin) throw new E_FORBIDDEN()
    if (!hasConsoleReauthentication(ctx)) return requireConsoleReauthentication(ctx)
    noteConsoleUse(ctx)
    ctx.view.share({ administrator: user })
    return next()
  }
}
