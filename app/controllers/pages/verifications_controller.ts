import type { HttpContext } from '@adonisjs/core/http'
import { verifyEmail } from '#users/email_verification'
import { findLiveToken } from '#auth/tokens/one_time_tokens'
import { originOf } from '#http/request_origin'
import { linkToken, redeemLink, renderMessage, renderInvalidLink } from '#pages/link_pages'

/** Verifying an e-mail address by the link of a mail. */
export default class VerificationsController {
  async create(ctx: HttpContext) {
    const token = linkToken(ctx)
    const valid = await findLiveToken(token, ['email_verification'])
    if (!valid) return renderInvalidLink(ctx)
    return ctx.view.render('pages/confirm', {
      title: 'Confirm your address',
      text: `Is ${valid.email} yours?`,
      button: 'Yes, confirm it',
      path: '/verify-email',
      token,
    })
  }

  async store(ctx: HttpContext) {
    const user = await redeemLink(ctx, (token) => verifyEmail(token, originOf(ctx)))
    if (!user) return renderInvalidLink(ctx)
    return renderMessage(ctx, {
      title: 'Your address is confirmed',
      text: 'That was all. You can close this page.',
    })
  }
}
