import { IntlMessageFormat } from 'intl-messageformat'
import type { TranslationsFormatterContract } from '@adonisjs/i18n/types'

/** The formatter of the framework parses at every use, which costs 20 ms for a page of users. */
export class CachedFormatter implements TranslationsFormatterContract {
  readonly name = 'icu'
  readonly #parsed = new Map<string, IntlMessageFormat>()

  format(message: string, locale: string, values: Record<string, unknown> = {}) {
    if (!message.includes('{')) return message
    return String(this.#parse(message, locale).format(values as Record<string, string>))
  }

  #parse(message: string, locale: string) {
    const key = `${locale}\0${message}`
    const known = this.#parsed.get(key)
    if (known) return known
    const parsed = new IntlMessageFormat(message, locale, undefined, { ignoreTag: true })
    this.#parsed.set(key, parsed)
    return parsed
  }
}
