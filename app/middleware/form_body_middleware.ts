import type { HttpContext } from '@adonisjs/core/http'
import type { NextFn } from '@adonisjs/core/types/http'
import { E_UNSUPPORTED_MEDIA_TYPE } from '#exceptions/http_errors'
import { parseBody } from '#http/parse_body'

export default class FormBodyMiddleware {
  async handle(ctx: HttpContext, next: NextFn) {
    if (!ctx.request.hasBody()) return next()
    if (!ctx.request.is(['application/x-www-form-urlencoded'])) throw new E_UNSUPPORTED_MEDIA_TYPE()
    return parseBody(ctx, next)
  }
}
