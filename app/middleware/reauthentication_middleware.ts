import type { HttpContext } from '@adonisjs/core/http'
import type { NextFn } from '@adonisjs/core/types/http'
import type { Purpose } from '#pages/reauthentication/purposes'
import { requireConfirmation, isConfirmed } from '#pages/reauthentication/reauthentication'
import { isUnnamed } from '#pages/forms/form_replay'

/** `none` says why a change needs no reauthentication, for the reader of the route. */
type Declaration = { purpose: Purpose } | { none: string }

/**
 * A form that was sent before the sign-in is named first, however recent the sign-in. An attacker
 * at an unattended browser could sign out, send it, and wait for the owner.
 * Only shows the page; the change itself refuses (`app/auth/mfa/recent_authentication.ts`).
 */
export default class ReauthenticationMiddleware {
  async handle(ctx: HttpContext, next: NextFn, declaration: Declaration) {
    if ('none' in declaration) return next()
    if (isConfirmed(ctx) && !isUnnamed(ctx)) return next()
    const text = await declaration.purpose(ctx)
    return text === null ? next() : ctx.response.send(await requireConfirmation(ctx, text))
  }
}
