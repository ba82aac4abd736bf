import type { HttpContext } from '@adonisjs/core/http'
import type { NextFn } from '@adonisjs/core/types/http'

const POLICY = [
  "default-src 'none'",
  "style-src 'self'",
  "script-src 'self'",
  "img-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ')

/**
 * The content security policy of pages without a session: files of this origin are
 * loaded, inline scripts and styles are not, so that injected markup runs nothing.
 */
export default class PagePolicyMiddleware {
  handle(ctx: HttpContext, next: NextFn) {
    allowOwnFiles(ctx)
    return next()
  }
}

export function allowOwnFiles({ response, view }: HttpContext) {
  view.share({ cspNonce: '' })
  response.header('content-security-policy', POLICY)
}
