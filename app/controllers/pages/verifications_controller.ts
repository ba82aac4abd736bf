import type { HttpContext } from '@adonisjs/core/http'
import User from '#models/user'
import {
  declineAccount,
  findAddressToken,
  isConfirmable,
  isDeclinable,
  verifyEmail,
} from '#users/email_verification'
import { originOf } from '#http/request_origin'
import { linkToken, redeemLink, renderMessage, renderInvalidLink } from '#pages/link_pages'

const DECLINE = { path: '/verify-email/decline', button: 'I did not make this account' }

/** The page of a pending address. The account is somebody else's if they did not ask. */
function confirmationOf({ email }: { email: string | null }) {
  return {
    title: 'Confirm your new address',
    text: `Somebody who is signed in to an account asked to change its address to ${email}. Confirm it only if it was you: otherwise the account, whose password somebody else knows, gets your address.`,
    button: 'It was me, use this address',
  }
}

/** Verifying an e-mail address by the link of a mail. */
export default class VerificationsController {
  async create(ctx: HttpContext) {
    const token = linkToken(ctx)
    const valid = await findAddressToken(token)
    const user = valid && (await User.find(valid.userId))
    if (!user || !isConfirmable(user, valid)) return renderInvalidLink(ctx)
    const form = { path: '/verify-email', token }
    if (valid.purpose === 'email_change') {
      return ctx.view.render('pages/confirm', { ...form, ...confirmationOf(valid), other: null })
    }
    return ctx.view.render('pages/confirm', {
      ...form,
      title: 'Confirm your address',
      text: `An account was made with ${valid.email}. Confirm the address only if you made it yourself: otherwise somebody else knows its password.`,
      button: 'I made it, confirm the address',
      other: isDeclinable(user, valid) ? DECLINE : null,
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

  /** “I did not make this account”: removes it. */
  async decline(ctx: HttpContext) {
    const user = await redeemLink(ctx, (token) => declineAccount(token, originOf(ctx)))
    if (!user) return renderInvalidLink(ctx)
    return renderMessage(ctx, {
      title: 'The account is removed',
      text: 'Nobody can sign in with your address any more. You can close this page.',
    })
  }
}
