import type { HttpContext } from '@adonisjs/core/http'
import type { NextFn } from '@adonisjs/core/types/http'
import { useRequestLanguage } from '#pages/reader_language'

/** Shows a page in the language that the request asks for; a signed-in user's own comes later. */
export default class LanguageMiddleware {
  handle(ctx: HttpContext, next: NextFn) {
    useRequestLanguage(ctx)
    return next()
  }
}
