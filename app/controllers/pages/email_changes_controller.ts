import type { HttpContext } from '@adonisjs/core/http'
import { sourceOf } from '#http/request_source'
import {
  linkToken,
  redeemLink,
  removedSentence,
  renderInvalidLink,
  renderMessage,
  nextLink,
} from '#pages/sign_in/link_pages'
import { findUndoableChange, undoEmailChange } from '#users/undo_email_change'

export default class EmailChangesController {
  async create(ctx: HttpContext) {
    const token = linkToken(ctx)
    const live = await findUndoableChange(token)
    if (!live) return renderInvalidLink(ctx, 'report')
    return ctx.view.render('pages/confirm', {
      title: ctx.i18n.t('links.undo.title'),
      text: ctx.i18n.t('links.undo.text', { email: live.email }),
      button: ctx.i18n.t('links.undo.button'),
      path: '/undo-email-change',
      token,
      other: null,
    })
  }

  async destroy(ctx: HttpContext) {
    const undone = await redeemLink(ctx, (token) => undoEmailChange(token, sourceOf(ctx)))
    if (!undone) return renderInvalidLink(ctx, 'report')
    const { i18n } = ctx
    const text = `${i18n.t('links.undo.mailed')} ${removedSentence(ctx, undone.removed)}`
    return renderMessage(ctx, { title: i18n.t('links.undo.done'), text, link: nextLink(ctx) })
  }
}
