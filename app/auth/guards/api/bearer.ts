import type { HttpRequest } from '@adonisjs/core/http'

/** The scheme is case-insensitive (RFC 6750, section 2.1; RFC 9110, section 11.1). */
const BEARER = /^bearer +/i

/** Returns undefined if the header is missing or has another scheme. */
export function bearerToken({ request }: HttpRequest) {
  const { authorization = '' } = request.headers
  const scheme = BEARER.exec(authorization)?.[0]
  return scheme && authorization.slice(scheme.length)
}
