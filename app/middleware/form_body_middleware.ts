import type { HttpContext } from '@adonisjs/core/http'
import type { NextFn } from '@adonisjs/core/types/http'
import app from '@adonisjs/core/services/app'
import BodyParserMiddleware from '@adonisjs/core/bodyparser_middleware'
import {
  E_BAD_REQUEST,
  E_PAYLOAD_TOO_LARGE,
  E_UNSUPPORTED_MEDIA_TYPE,
} from '#exceptions/http_errors'

const parser = await app.container.make(BodyParserMiddleware)

/** Parses the body of an HTML form and refuses other types. */
export default class FormBodyMiddleware {
  async handle(ctx: HttpContext, next: NextFn) {
    if (!ctx.request.hasBody()) return next()
    if (!ctx.request.is(['application/x-www-form-urlencoded'])) throw new E_UNSUPPORTED_MEDIA_TYPE()
    let isParsed = false
    try {
      return await parser.handle(ctx, () => {
        isParsed = true
        return next()
      })
    } catch (error) {
      if (isParsed) throw error
      throw error.status === 413 ? new E_PAYLOAD_TOO_LARGE() : new E_BAD_REQUEST()
    }
  }
}
