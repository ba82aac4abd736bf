import type { HttpContext } from '@adonisjs/core/http'
import brand from '#config/brand'
import hostedPages from '#config/hosted_pages'
import { appUrl } from '#config/app'
import { E_INVALID_TOKEN } from '#auth/errors'
import { listRemoved } from '#mails/templates/removed_methods'
import type { RemovedMethods } from '#events/details'

/** A GET only shows the token in a form, because mail scanners follow every link. */
export function linkToken({ request }: HttpContext) {
  const { token } = request.qs()
  return typeof token === 'string' && token.length <= 256 ? token : ''
}

export function givenToken({ request }: HttpContext) {
  return String(request.body().token ?? '')
}

/** @returns null for a token that was used or has expired */
export async function redeemLink<T>(
  ctx: HttpContext,
  redeem: (token: string) => Promise<T>
): Promise<T | null> {
  return redeem(givenToken(ctx)).catch(nullIfInvalidToken)
}

export function nullIfInvalidToken(error: unknown) {
  if (error instanceof E_INVALID_TOKEN) return null
  throw error
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

export function renderMessage({ view }: HttpContext, message: Message) {
  return view.render('pages/message', { link: null, other: null, ...message, requestId: null })
}

/** Leads to the application, or to the account page. */
export function nextLink({ i18n }: HttpContext): Link | null {
  const { name, url } = brand
  if (url !== `${appUrl}/`) return { path: url, text: i18n.t('links.to_application', { name }) }
  return hostedPages.isOn ? { path: '/account', text: i18n.t('links.to_account') } : null
}

/** @returns an empty text where nothing was removed */
export function removedSentence({ i18n }: HttpContext, removed: RemovedMethods) {
  const list = listRemoved(i18n, removed)
  const kept = removed.keptMethods ? i18n.t('links.removed.kept') : ''
  return [list && i18n.t('links.removed.sentence', { list }), kept].filter(Boolean).join(' ')
}

export type LinkKind = 'password' | 'handed_over' | 'invitation' | 'verification' | 'report'

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
