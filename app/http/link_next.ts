import type { HttpContext } from '@adonisjs/core/http'
import { appUrl } from '#config/app'

/** RFC 8288: the body stays a plain array. */
export function linkNext({ request, response }: HttpContext, query: Record<string, string>) {
  const url = `${appUrl}${request.url()}?${new URLSearchParams(query)}`
  response.header('link', `<${url}>; rel="next"`)
}
