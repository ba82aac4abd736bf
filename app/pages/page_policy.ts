import type { HttpContext } from '@adonisjs/core/http'

const POLICY = [
  "default-src 'none'",
  "style-src 'self'",
  "script-src 'self'",
  "img-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ')

/** The policy forbids inline scripts and styles, so that injected markup runs nothing. */
export function allowOwnFiles({ response, view }: HttpContext) {
  view.share({ cspNonce: '' })
  response.header('content-security-policy', POLICY)
}
