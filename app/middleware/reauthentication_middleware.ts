import type { HttpContext } from '@adonisjs/core/http'
import type { NextFn } from '@adonisjs/core/types/http'
import type { Purpose } from '#pages/reauthentication/purposes'
import { askToConfirm, isConfirmed } from '#pages/reauthentication/reauthentication'

/** `none` says why a change needs no reauthentication, for the reader of the route. */
type Declaration = { purpose: Purpose } | { none: string }

/** Shows the page only; the change refuses by itself (`app/auth/mfa/recent_authentication.ts`). */
export default class ReauthenticationMiddleware {
  async handle(ctx: HttpContext, next: NextFn, declaration: Declaration) {
    if ('none' in declaration || isConfirmed(ctx)) return next()
    const text = await declaration.purpose(ctx)
    return text === null ? next() : ctx.response.send(await askToConfirm(ctx, text))
  }
}
