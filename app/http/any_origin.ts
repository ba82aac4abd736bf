import type { HttpContext } from '@adonisjs/core/http'

/** Serves documents without a secret, which pages of every origin may read. */
export function allowAnyOrigin({ response }: HttpContext) {
  response.header('access-control-allow-origin', '*')
  response.removeHeader('access-control-allow-credentials')
}

export function answerPreflight(ctx: HttpContext, maxAge: number) {
  const { response } = ctx
  allowAnyOrigin(ctx)
  response.header('access-control-allow-methods', 'GET, HEAD')
  response.header('access-control-allow-headers', '*')
  response.header('access-control-max-age', String(maxAge))
  return response.noContent()
}
