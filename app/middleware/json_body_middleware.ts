import type { HttpContext } from '@adonisjs/core/http'
import type { NextFn } from '@adonisjs/core/types/http'
import app from '@adonisjs/core/services/app'
import BodyParserMiddleware from '@adonisjs/core/bodyparser_middleware'
import {
  E_BAD_REQUEST,
  E_PAYLOAD_TOO_LARGE,
  E_UNSUPPORTED_MEDIA_TYPE,
} from '#exceptions/http_errors'

/** A body that took longer may have been held back until its token was revoked. */
const HELD_MS = 100

const parser = await app.container.make(BodyParserMiddleware)

/** Reads a JSON body and no other; a request without a body passes. */
export default class JsonBodyMiddleware {
  async handle(ctx: HttpContext, next: NextFn) {
    if (!hasBody(ctx)) return next()
    if (!isJson(ctx)) throw new E_UNSUPPORTED_MEDIA_TYPE()
    let isParsed = false
    const begunAt = Date.now()
    try {
      return await parser.handle(ctx, async () => {
        isParsed = true
        if (Date.now() - begunAt > HELD_MS) await ctx.auth?.use('api').confirm()
        return next()
      })
    } catch (error) {
      throw isParsed ? error : refusalOf(error)
    }
  }
}

/** A client may announce an empty body, of whatever type: nothing is there to be read. */
function hasBody({ request }: HttpContext) {
  const { 'transfer-encoding': encoding, 'content-length': length = '0' } = request.request.headers
  return encoding !== undefined || length !== '0'
}

/** Nearly every client writes the type like this, and looking closer costs a microsecond. */
function isJson({ request }: HttpContext) {
  return (
    request.request.headers['content-type'] === 'application/json' ||
    request.is(['application/json']) !== null
  )
}

/** What the parser throws names its own insides; the answer names the fault. */
function refusalOf(error: { status?: number }) {
  if (error.status === 413) return new E_PAYLOAD_TOO_LARGE()
  if (error.status === 415) return new E_UNSUPPORTED_MEDIA_TYPE()
  return new E_BAD_REQUEST()
}
