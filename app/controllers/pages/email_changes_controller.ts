import type { HttpContext } from '@adonisjs/core/http'
import { originOf } from '#http/request_origin'
import {
  linkToken,
  redeemLink,
  removedSentence,
  renderInvalidLink,
  renderMessage,
} from '#pages/link_pages'
import { findUndoableChange, undoEmailChange } from '#users/undo_email_change'

const MAILED =
  'This is the address of the account again. We have mailed it a link to set a new password. Use it soon: whoever changed the address knows the old one.'

/** “It was not me”, for a change of address: keeps the former one and ends every session. */
export default class EmailChangesController {
  async create(ctx: HttpContext) {
    const token = linkToken(ctx)
    const live = await findUndoableChange(token)
    if (!live) return renderInvalidLink(ctx)
    return ctx.view.render('pages/confirm', {
      title: 'Keep this address?',
      text: `${live.email} stays the address of your account, or becomes it again. We sign everything out at once, your own devices too, and mail you a link to set a new password.`,
      button: 'It was not me, keep this address',
      path: '/undo-email-change',
      token,
      other: null,
    })
  }

  async destroy(ctx: HttpContext) {
    const undone = await redeemLink(ctx, (token) => undoEmailChange(token, originOf(ctx)))
    if (!undone) return renderInvalidLink(ctx)
    const text = `${MAILED} ${removedSentence(ctx, undone.removed)}`
    return renderMessage(ctx, { title: 'The change is undone', text })
  }
}
