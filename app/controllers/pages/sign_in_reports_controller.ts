import type { HttpContext } from '@adonisjs/core/http'
import { sourceOf } from '#http/request_source'
import { findReportable, reportSignIn } from '#users/report_sign_in'
import {
  linkToken,
  redeemLink,
  removedSentence,
  renderInvalidLink,
  renderMessage,
  nextLink,
} from '#pages/sign_in/link_pages'

export default class SignInReportsController {
  async create(ctx: HttpContext) {
    const token = linkToken(ctx)
    if (!(await findReportable(token))) return renderInvalidLink(ctx, 'report')
    return ctx.view.render('pages/confirm', {
      title: ctx.i18n.t('links.not_me.title'),
      text: ctx.i18n.t('links.not_me.text'),
      button: ctx.i18n.t('links.not_me.button'),
      path: '/not-me',
      token,
      other: null,
    })
  }

  async store(ctx: HttpContext) {
    const report = await redeemLink(ctx, (token) => reportSignIn(token, sourceOf(ctx)))
    if (!report) return renderInvalidLink(ctx, 'report')
    const { i18n } = ctx
    const told = report.isMailed ? i18n.t('links.not_me.mailed') : i18n.t('links.not_me.not_mailed')
    const moved = report.hasMoved ? i18n.t('links.address_moved') : ''
    const text = [told, moved, removedSentence(ctx, report.removed)].filter(Boolean).join(' ')
    return renderMessage(ctx, { title: i18n.t('links.not_me.done'), text, link: nextLink(ctx) })
  }
}
