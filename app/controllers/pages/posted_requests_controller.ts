import type { HttpContext } from '@adonisjs/core/http'
import limits from '#config/limits'
import { E_PAYLOAD_TOO_LARGE } from '#exceptions/http_errors'

/**
 * The browser repeats the request as GET, because it sends no cookie with a form of another site
 * (OpenID Connect Core, section 3.1.2.1).
 */
export default class PostedRequestsController {
  store({ request, response }: HttpContext) {
    const query = new URLSearchParams()
    for (const [name, value] of Object.entries(request.body())) append(query, name, value)
    const text = query.toString()
    /** Longer requests are pushed (RFC 9126). */
    if (text.length > limits.postedRequest) throw new E_PAYLOAD_TOO_LARGE()
    return response.redirect().status(303).toPath(`${request.url()}?${text}`)
  }
}

/** `resource` may repeat; other repeated parameters are refused later. */
function append(query: URLSearchParams, name: string, value: unknown) {
  for (const each of [value].flat()) {
    if (typeof each === 'string') query.append(name, each)
  }
}
