import type { HttpContext } from '@adonisjs/core/http'
import { originOf } from '#http/request_origin'
import { findReportable, reportSignIn } from '#users/report_sign_in'
import {
  linkToken,
  redeemLink,
  removedSentence,
  renderInvalidLink,
  renderMessage,
} from '#pages/link_pages'

const MAILED =
  'We have mailed a link to set a new password to the address of the account. Use it soon: whoever signed in knows the old one.'
const NOT_MAILED = 'The account is disabled. Tell your administrator what happened.'

/** “It was not me”: ends every session, and mails a link to set a new password. */
export default class SignInReportsController {
  async create(ctx: HttpContext) {
    const token = linkToken(ctx)
    if (!(await findReportable(token))) return renderInvalidLink(ctx)
    return ctx.view.render('pages/confirm', {
      title: 'Was it not you?',
      text: 'We sign everything out at once, your own devices too, remove what was added to the account since, such as API keys, and mail you a link to set a new password.',
      button: 'It was not me, sign everything out',
      path: '/not-me',
      token,
      other: null,
    })
  }

  async store(ctx: HttpContext) {
    const report = await redeemLink(ctx, (token) => reportSignIn(token, originOf(ctx)))
    if (!report) return renderInvalidLink(ctx)
    const told = report.isMailed ? MAILED : NOT_MAILED
    const moved = report.hasMoved ? ctx.i18n.t('links.address_moved') : ''
    const text = [told, moved, removedSentence(ctx, report.removed)].filter(Boolean).join(' ')
    return renderMessage(ctx, { title: 'Everything is signed out', text })
  }
}
