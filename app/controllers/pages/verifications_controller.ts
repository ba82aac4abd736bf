import type { HttpContext } from '@adonisjs/core/http'
import User from '#models/user'
import {
  declineAccount,
  findAddressToken,
  isConfirmable,
  isDeclinable,
  verifyEmail,
} from '#users/email_verification'
import { renderDeclined, renderUsedLink } from '#pages/sign_in/verification_pages'
import { sourceOf } from '#http/request_source'
import {
  givenToken,
  linkToken,
  redeemLink,
  renderMessage,
  nextLink,
} from '#pages/sign_in/link_pages'

/** An owner of the mailbox who did not ask for the change does not own the account. */
function confirmationOf({ i18n }: HttpContext, { email }: { email: string | null }) {
  return {
    title: i18n.t('links.change.title'),
    text: i18n.t('links.change.text', { email }),
    button: i18n.t('links.change.button'),
    other: null,
  }
}

/** The owner of the mailbox can also remove an account that an attacker registered (pre-hijacking). */
function verificationOf({ i18n }: HttpContext, email: string | null, canDecline: boolean) {
  const decline = { path: '/verify-email/decline', button: i18n.t('links.verify.decline') }
  return {
    title: i18n.t('links.verify.title'),
    text: i18n.t('links.verify.text', { email }),
    button: i18n.t('links.verify.button'),
    other: canDecline ? decline : null,
  }
}

export default class VerificationsController {
  async create(ctx: HttpContext) {
    const token = linkToken(ctx)
    const valid = await findAddressToken(token)
    const user = valid && (await User.find(valid.userId))
    if (!user || !isConfirmable(user, valid)) return renderUsedLink(ctx, token)
    const page =
      valid.purpose === 'email_change'
        ? confirmationOf(ctx, valid)
        : verificationOf(ctx, valid.email, isDeclinable(user, valid))
    return ctx.view.render('pages/confirm', { ...page, path: '/verify-email', token })
  }

  async store(ctx: HttpContext) {
    const user = await redeemLink(ctx, (token) => verifyEmail(token, sourceOf(ctx)))
    if (!user) return renderUsedLink(ctx, givenToken(ctx))
    return renderMessage(ctx, {
      title: ctx.i18n.t('links.verified.title'),
      text: ctx.i18n.t('links.verified.text'),
      link: nextLink(ctx),
    })
  }

  async decline(ctx: HttpContext) {
    const user = await redeemLink(ctx, (token) => declineAccount(token, sourceOf(ctx)))
    if (!user) return renderUsedLink(ctx, givenToken(ctx))
    return renderDeclined(ctx)
  }
}
