import type { HttpContext } from '@adonisjs/core/http'
import type { NextFn } from '@adonisjs/core/types/http'
import { asPage } from '#database/configuration_version'
import { useRequestLanguage } from '#pages/reader_language'

export default class LanguageMiddleware {
  handle(ctx: HttpContext, next: NextFn) {
    useRequestLanguage(ctx)
    return asPage(next)
  }
}
