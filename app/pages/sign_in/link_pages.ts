import type { HttpContext } from '@adonisjs/core/http'
import brand from '#config/brand'
import hostedPages from '#config/hosted_pages'
import { appUrl } from '#config/app'
import { E_INVALID_TOKEN } from '#auth/errors'
import { listRemoved } from '#mails/templates/removed_methods'
import type { RemovedMethods } from '#events/details'

/**
 * The token in the query of a mailed link. A GET only shows it in a form: mail scanners
 * follow every link and must not redeem the token.
 */
export function linkToken({ request }: HttpContext) {
  const { token } = request.qs()
  return typeof token === 'string' && token.length <= 256 ? token : ''
}

/** The token in the form of such a page. */
export function givenToken({ request }: HttpContext) {
  return String(request.body().token ?? '')
}

/** Redeems the token of a form; null when it was used or has expired. */
export async function redeemLink<T>(
  ctx: HttpContext,
  redeem: (token: string) => Promise<T>
): Promise<T | null> {
  try {
    return await redeem(givenToken(ctx))
  } catch (error) {
    if (error instanceof E_INVALID_TOKEN) return null
    throw error
  }
}

interface Link {
  path: string
  text: string
}

interface Message {
  title: string
  text: string
  link?: Link | null
  other?: Link | null
}

/** A page with a title, a sentence and perhaps a link. */
export function renderMessage({ view }: HttpContext, message: Message) {
  return view.render('pages/message', { link: null, other: null, ...message, requestId: null })
}

/** Where a page leads whose link has done its work: to the application, or to the account here. */
export function wayOn({ i18n }: HttpContext): Link | null {
  const { name, url } = brand
  if (url !== `${appUrl}/`) return { path: url, text: i18n.t('links.to_application', { name }) }
  return hostedPages.isOn ? { path: '/account', text: i18n.t('links.to_account') } : null
}

/** A sentence about what a report has removed; empty where nothing had been added. */
export function removedSentence({ i18n }: HttpContext, removed: RemovedMethods) {
  const list = listRemoved(i18n, removed)
  return list && i18n.t('links.removed.sentence', { list })
}

/** What a mailed link was for, as far as its address says. */
export type LinkKind = 'password' | 'handed_over' | 'invitation' | 'verification' | 'report'

/** The page of a link that was used, replaced by a newer one or has expired. */
export function renderInvalidLink(ctx: HttpContext, kind: LinkKind) {
  const { i18n } = ctx
  ctx.response.status(404)
  const signIn = { path: '/sign-in', text: i18n.t('links.to_sign_in') }
  const forgot = { path: '/forgot-password', text: i18n.t('links.invalid.forgot') }
  const resend = { path: '/sign-in/verification', text: i18n.t('links.invalid.resend') }
  const links = {
    password: [forgot, signIn],
    verification: [resend, signIn],
    handed_over: [signIn, forgot],
    invitation: [signIn, forgot],
    report: [signIn, forgot],
  }
  const [link, other = null] = hostedPages.isOn ? links[kind] : [signIn]
  return renderMessage(ctx, {
    title: i18n.t('links.invalid.title'),
    text: i18n.t(`links.invalid.${kind}`),
    link,
    other,
  })
}
