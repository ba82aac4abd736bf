import i18nManager from '@adonisjs/i18n/services/main'

/** Bounds the work for a list that an attacker sends; real lists are shorter. */
const MAX_LENGTH = 500

export function isSupportedLocale(locale: unknown): locale is string {
  return typeof locale === 'string' && i18nManager.supportedLocales().includes(locale)
}

/** @param languages in the form of `Accept-Language`: “fr-CA, fr;q=0.9” */
export function matchLocale(languages: string | undefined) {
  const list = languages?.trim().slice(0, MAX_LENGTH)
  return list && list !== '*' ? i18nManager.getSupportedLocaleFor(list) : null
}

export const defaultLocale = () => i18nManager.defaultLocale

export function i18nFor(locale: string | null | undefined) {
  return i18nManager.locale(isSupportedLocale(locale) ? locale : i18nManager.defaultLocale)
}

/** Each language is named in its own language. */
export function localeOptions() {
  const options = i18nManager.supportedLocales().map((locale) => {
    const name = new Intl.DisplayNames([locale], { type: 'language' }).of(locale) ?? locale
    return { value: locale, text: name.charAt(0).toLocaleUpperCase(locale) + name.slice(1) }
  })
  return options.sort((one, other) => one.text.localeCompare(other.text))
}
