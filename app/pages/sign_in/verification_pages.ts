import type { HttpContext } from '@adonisjs/core/http'
import { hasVerified } from '#users/email_verification'
import { renderInvalidLink, renderMessage, nextLink } from './link_pages.ts'

/** A second click on the link, or a reload, is not a mistake of the user. */
export async function renderUsedLink(ctx: HttpContext, token: string) {
  if (!(await hasVerified(token))) return renderInvalidLink(ctx, 'verification')
  return renderMessage(ctx, {
    title: ctx.i18n.t('links.verified.again'),
    text: ctx.i18n.t('links.verified.again_text'),
    link: nextLink(ctx),
  })
}

export function renderDeclined(ctx: HttpContext) {
  return renderMessage(ctx, {
    title: ctx.i18n.t('links.declined.title'),
    text: ctx.i18n.t('links.declined.text'),
  })
}
