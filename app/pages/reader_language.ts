import type { I18n } from '@adonisjs/i18n'
import type { HttpContext } from '@adonisjs/core/http'
import { defaultLocale, i18nFor, isSupportedLocale, matchLocale } from '#i18n/locales'

declare module '@adonisjs/core/http' {
  export interface HttpContext {
    /** Undefined for routes of the API, whose texts are English. */
    i18n: I18n
  }
}

/** The parameter of OpenID Connect Core 1.0, section 3.1.2.1, also its key in the browser session. */
const UI_LOCALES = 'ui_locales'

/** Before a sign-in, the application or the browser chooses the language. */
export function useRequestLanguage(ctx: HttpContext) {
  setLanguage(ctx, requestLocale(ctx))
}

export function useLanguageOf(ctx: HttpContext, { locale }: { locale: string | null }) {
  if (isSupportedLocale(locale)) setLanguage(ctx, locale)
}

/** @returns null where no requested language is supported */
function requestLocale(ctx: HttpContext) {
  return askedLocale(ctx) ?? matchLocale(ctx.request.header('accept-language'))
}

/** Browsers ask for English by default, so English is no choice of a user and is not stored. */
export function newUserLocale(ctx: HttpContext) {
  const locale = requestLocale(ctx)
  return locale === defaultLocale() ? null : locale
}

/** An application names the language once; later steps of the sign-in keep it. */
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
