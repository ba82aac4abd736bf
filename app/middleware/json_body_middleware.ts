import type { HttpContext } from '@adonisjs/core/http'
import type { NextFn } from '@adonisjs/core/types/http'
import { E_UNSUPPORTED_MEDIA_TYPE } from '#exceptions/http_errors'
import { parseBody } from '#http/parse_body'

export default class JsonBodyMiddleware {
  async handle(ctx: HttpContext, next: NextFn) {
    if (!hasBody(ctx)) return next()
    if (!isJson(ctx)) throw new E_UNSUPPORTED_MEDIA_TYPE()
    return parseBody(ctx, next)
  }
}

/** Some clients send a content type with an empty body: there is nothing to parse. */
function hasBody({ request }: HttpContext) {
  const { 'transfer-encoding': encoding, 'content-length': length = '0' } = request.request.headers
  return encoding !== undefined || length !== '0'
}

/** The exact comparison comes first, because parsing the type costs a microsecond. */
function isJson({ request }: HttpContext) {
  return (
    request.request.headers['content-type'] === 'application/json' ||
    request.is(['application/json']) !== null
  )
}
