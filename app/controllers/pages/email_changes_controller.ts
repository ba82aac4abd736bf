import type { HttpContext } from '@adonisjs/core/http'
import { findLiveToken } from '#auth/tokens/one_time_tokens'
import { originOf } from '#http/request_origin'
import { linkToken, redeemLink, renderInvalidLink, renderMessage } from '#pages/link_pages'
import { undoEmailChange } from '#users/undo_email_change'

const MAILED =
  'This is the address of the account again. We have mailed it a link to set a new password. Use it soon: whoever changed the address knows the old one.'
const NOT_MAILED =
  'This is the address of the account again. The account is disabled: tell your administrator what happened.'

/** “It was not me”, for a change of address: keeps the former one and ends every session. */
export default class EmailChangesController {
  async create(ctx: HttpContext) {
    const token = linkToken(ctx)
    const live = await findLiveToken(token, ['email_change_undo'])
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
    const text = undone.isMailed ? MAILED : NOT_MAILED
    return renderMessage(ctx, { title: 'The change is undone', text })
  }
}
