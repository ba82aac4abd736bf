import i18nManager from '@adonisjs/i18n/services/main'

/** The longest list of languages that is read: a longer one is nobody's. */
const MAX_LENGTH = 500

/** Whether pages and mails exist in a language, of the product or of the operator. */
export function isSupportedLocale(locale: unknown): locale is string {
  return typeof locale === 'string' && i18nManager.supportedLocales().includes(locale)
}

/**
 * The language that fits best, or null.
 *
 * @param languages in the form of `Accept-Language`: “fr-CA, fr;q=0.9”
 */
export function matchLocale(languages: string | undefined) {
  const list = languages?.trim().slice(0, MAX_LENGTH)
  return list && list !== '*' ? i18nManager.getSupportedLocaleFor(list) : null
}

export const defaultLocale = () => i18nManager.defaultLocale

/** What texts are formatted in: the language of a user, or the default one without theirs. */
export function i18nFor(locale: string | null | undefined) {
  return i18nManager.locale(isSupportedLocale(locale) ? locale : i18nManager.defaultLocale)
}

/** Every language with its name in itself, for the field of a form. */
export function localeOptions() {
  const options = i18nManager.supportedLocales().map((locale) => {
    const name = new Intl.DisplayNames([locale], { type: 'language' }).of(locale) ?? locale
    return { value: locale, text: name.charAt(0).toLocaleUpperCase(locale) + name.slice(1) }
  })
  return options.sort((one, other) => one.text.localeCompare(other.text))
}
