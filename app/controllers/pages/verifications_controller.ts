import type { HttpContext } from '@adonisjs/core/http'
import { verifyEmail } from '#users/email_verification'
import { findLiveToken } from '#auth/tokens/one_time_tokens'
import { originOf } from '#http/request_origin'
import { linkToken, redeemLink, renderMessage, renderUseless } from '#pages/link_pages'

/** Confirming an e-mail address by the link that was mailed to it. */
export default class VerificationsController {
  async create(ctx: HttpContext) {
    const token = linkToken(ctx)
    const live = await findLiveToken(token, ['email_verification'])
    if (!live) return renderUseless(ctx)
    return ctx.view.render('pages/confirm', {
      title: 'Confirm your address',
      text: `Is ${live.email} yours?`,
      button: 'Yes, confirm it',
      path: '/verify-email',
      token,
    })
  }

  async store(ctx: HttpContext) {
    const user = await redeemLink(ctx, (token) => verifyEmail(token, originOf(ctx)))
    if (!user) return renderUseless(ctx)
    return renderMessage(ctx, {
      title: 'Your address is confirmed',
      text: 'That was all. You can close this page.',
    })
  }
}
