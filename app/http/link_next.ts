import type { HttpContext } from '@adonisjs/core/http'
import { appUrl } from '#config/app'

/** Links the next page in a header (RFC 8288), so that the body stays a plain array. */
export function linkNext({ request, response }: HttpContext, query: Record<string, string>) {
  const url = `${appUrl}${request.url()}?${new URLSearchParams(query)}`
  response.header('link', `<${url}>; rel="next"`)
}
