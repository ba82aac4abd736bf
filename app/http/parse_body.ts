import type { HttpContext } from '@adonisjs/core/http'
import type { NextFn } from '@adonisjs/core/types/http'
import app from '@adonisjs/core/services/app'
import BodyParserMiddleware from '@adonisjs/core/bodyparser_middleware'
import {
  E_BAD_REQUEST,
  E_PAYLOAD_TOO_LARGE,
  E_UNSUPPORTED_MEDIA_TYPE,
} from '#exceptions/http_errors'

/** A slow body may outlast its token, so the token is checked again after this time. */
const SLOW_BODY_MS = 100

const parser = await app.container.make(BodyParserMiddleware)

export async function parseBody(ctx: HttpContext, next: NextFn) {
  let isParsed = false
  const startedAt = Date.now()
  try {
    return await parser.handle(ctx, async () => {
      isParsed = true
      if (Date.now() - startedAt > SLOW_BODY_MS) await ctx.auth?.use('api').authenticateAgain()
      return next()
    })
  } catch (error) {
    throw isParsed ? error : refusalOf(error)
  }
}

/** The errors of the parser reveal its internals. */
function refusalOf(error: { status?: number }) {
  if (error.status === 413) return new E_PAYLOAD_TOO_LARGE()
  if (error.status === 415) return new E_UNSUPPORTED_MEDIA_TYPE()
  return new E_BAD_REQUEST()
}
