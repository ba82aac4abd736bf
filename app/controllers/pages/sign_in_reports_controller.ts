import type { HttpContext } from '@adonisjs/core/http'
import { reportSignIn } from '#auth/sessions/report_sign_in'
import { findLiveToken } from '#auth/tokens/one_time_tokens'
import { originOf } from '#http/request_origin'
import { linkToken, redeemLink, renderMessage, renderInvalidLink } from '#pages/link_pages'
import { renderPasswordForm } from '#pages/password_page'

/** “It was not me”: ends the session that a mail reported, then asks for a new password. */
export default class SignInReportsController {
  async create(ctx: HttpContext) {
    const token = linkToken(ctx)
    const valid = await findLiveToken(token, ['sign_in_report'])
    if (!valid) return renderInvalidLink(ctx)
    return ctx.view.render('pages/confirm', {
      title: 'Was it not you?',
      text: 'We end that session at once. Whoever started it knows your password, so next you set a new one.',
      button: 'It was not me, end it',
      path: '/not-me',
      token,
    })
  }

  async store(ctx: HttpContext) {
    const report = await redeemLink(ctx, (token) => reportSignIn(token, originOf(ctx)))
    if (!report) return renderInvalidLink(ctx)
    if (!report.resetToken) return this.#renderEnded(ctx)
    const form = { input: { token: report.resetToken }, errors: {} }
    return renderPasswordForm(ctx, form, '/reset-password')
  }

  #renderEnded(ctx: HttpContext) {
    return renderMessage(ctx, {
      title: 'The session is ended',
      text: 'The account has another address by now, or is disabled. Tell your administrator what happened.',
    })
  }
}
