import type { HttpContext } from '@adonisjs/core/http'
import type { NextFn } from '@adonisjs/core/types/http'
import { askToConfirm, isConfirmed } from '#pages/reauthentication/reauthentication'

/**
 * Asks for a recent proof before a sensitive change of one's own. What is changed asks for it
 * once more (`app/auth/mfa/recent_proof.ts`): this one leads to the page, that one refuses.
 */
export default class RecentProofMiddleware {
  /** @param purpose the message `account.purposes.<purpose>` */
  async handle(ctx: HttpContext, next: NextFn, { purpose }: { purpose: string }) {
    if (isConfirmed(ctx)) return next()
    const text = ctx.i18n.t(`account.purposes.${purpose}`)
    return ctx.response.send(await askToConfirm(ctx, text))
  }
}
