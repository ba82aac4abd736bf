import type { HttpContext } from '@adonisjs/core/http'
import type { AddressCodeRow } from '#auth/address_codes/address_code_rows'
import User from '#models/user'
import { returnPathOf } from '#auth/address_codes/waiting_sign_ins'
import { confirmByLink, declineAddress, findAddressLink } from '#users/address_links'
import { deviceLabel } from '#i18n/format'
import { renderDeclined, renderUsedLink } from '#pages/sign_in/verification_pages'
import { actorOf, sourceOf } from '#http/request_source'
import {
  givenToken,
  linkToken,
  nullIfInvalidToken,
  redeemLink,
  renderMessage,
} from '#pages/sign_in/link_pages'

export default class AddressLinksController {
  /** A GET confirms only in the browser that waits: mail scanners lack its session. */
  async create(ctx: HttpContext) {
    const token = linkToken(ctx)
    const link = await findAddressLink(token)
    if (!link) return renderUsedLink(ctx, token)
    /** Null for an address that is no longer the user's. */
    const isConfirmed = await confirmHere(ctx, link).catch(nullIfInvalidToken)
    if (isConfirmed === null) return renderUsedLink(ctx, token)
    if (isConfirmed) {
      const path = returnPathOf(link) ?? '/account'
      return ctx.response.redirect().status(303).toPath(path)
    }
    const { label } = await User.findOrFail(link.user_id)
    return ctx.view.render('applications/made_account', {
      token,
      email: link.email,
      account: label,
      device: deviceLabel(ctx.i18n, link.device_name),
      at: link.created_at,
    })
  }

  /** Confirms nothing: only the code shows that the waiting user has the mail. */
  async store(ctx: HttpContext) {
    const token = givenToken(ctx)
    if (!(await findAddressLink(token))) return renderUsedLink(ctx, token)
    return renderMessage(ctx, {
      title: ctx.i18n.t('links.made_account.code_title'),
      text: ctx.i18n.t('links.made_account.code_text'),
    })
  }

  async decline(ctx: HttpContext) {
    const done = await redeemLink(ctx, (token) => declineAddress(token, sourceOf(ctx)))
    if (!done) return renderUsedLink(ctx, givenToken(ctx))
    if (done === 'deleted') return renderDeclined(ctx)
    return renderMessage(ctx, {
      title: ctx.i18n.t('links.made_account.nothing'),
      text: ctx.i18n.t('links.made_account.nothing_text'),
    })
  }
}

async function confirmHere(ctx: HttpContext, link: AddressCodeRow) {
  if (!(await ctx.auth.use('web').check())) return false
  const { user, session } = ctx.auth.use('web').getUserOrFail()
  const caller = { userId: user.id, webSessionId: session.id, actor: actorOf(ctx) }
  return confirmByLink(link, caller)
}
