import type { I18n } from '@adonisjs/i18n'
import type { HttpContext } from '@adonisjs/core/http'
import { defaultLocale, i18nFor, isSupportedLocale, matchLocale } from '#i18n/locales'

declare module '@adonisjs/core/http' {
  export interface HttpContext {
    /** The language of who reads the page. Routes of the API have none: their texts are English. */
    i18n: I18n
  }
}

/** The name of the parameter (OpenID Connect Core 1.0, section 3.1.2.1), and in the browser session. */
const UI_LOCALES = 'ui_locales'

/** Before anybody is known to be signed in: what the application asked for, or the browser. */
export function useRequestLanguage(ctx: HttpContext) {
  setLanguage(ctx, requestLocale(ctx))
}

/** The language that a signed-in user chose, if they did. */
export function useLanguageOf(ctx: HttpContext, { locale }: { locale: string | null }) {
  if (isSupportedLocale(locale)) setLanguage(ctx, locale)
}

/** The language that a request asks for; null where it asks for none that there is. */
function requestLocale(ctx: HttpContext) {
  return askedLocale(ctx) ?? matchLocale(ctx.request.header('accept-language'))
}

/**
 * The language that a new user gets from their request. English is what a browser asks for whose
 * owner set nothing, so that it is no choice: another browser of theirs keeps its own language.
 */
export function newUserLocale(ctx: HttpContext) {
  const locale = requestLocale(ctx)
  return locale === defaultLocale() ? null : locale
}

/** An application names it once; the steps after the first page follow it. */
function askedLocale(ctx: HttpContext) {
  const asked = ctx.request.qs()[UI_LOCALES]
  const locale = typeof asked === 'string' ? matchLocale(asked.replaceAll(' ', ',')) : null
  if (!hasSession(ctx)) return locale
  if (locale) ctx.session.put(UI_LOCALES, locale)
  const kept = ctx.session.get(UI_LOCALES)
  return isSupportedLocale(kept) ? kept : null
}

function hasSession(ctx: HttpContext) {
  return 'session' in ctx && ctx.session.initiated
}

function setLanguage(ctx: HttpContext, locale: string | null) {
  ctx.i18n = i18nFor(locale)
  ctx.view.share({ i18n: ctx.i18n })
}
