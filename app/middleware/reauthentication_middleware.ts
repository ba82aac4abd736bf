import type { HttpContext } from '@adonisjs/core/http'
import type { NextFn } from '@adonisjs/core/types/http'
import type { Purpose } from '#pages/reauthentication/purposes'
import { askToConfirm, isConfirmed } from '#pages/reauthentication/reauthentication'

/** `none` says why a change needs no reauthentication, for the reader of the route. */
type Declaration = { purpose: Purpose } | { none: string }

/**
 * Asks for reauthentication before a sensitive change. The change asks again
 * (`app/auth/mfa/recent_proof.ts`): this middleware shows the page, the change refuses. Each
 * form of console and account declares it (`tests/functional/matrix/reauthentication.spec.ts`).
 */
export default class ReauthenticationMiddleware {
  async handle(ctx: HttpContext, next: NextFn, declaration: Declaration) {
    if ('none' in declaration || isConfirmed(ctx)) return next()
    const text = await declaration.purpose(ctx)
    return text === null ? next() : ctx.response.send(await askToConfirm(ctx, text))
  }
}
