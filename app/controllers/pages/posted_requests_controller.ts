import type { HttpContext } from '@adonisjs/core/http'
import limits from '#config/limits'
import { E_PAYLOAD_TOO_LARGE } from '#exceptions/http_errors'

/**
 * A request of an application that the browser posts (OpenID Connect Core, section 3.1.2.1, and
 * RP-Initiated Logout, section 2). The browser is asked to send it again as GET: with a form of
 * another site it sends no cookie, and nobody would be signed in.
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

/** A parameter that comes twice stays so: `resource` may, the others are refused then. */
function append(query: URLSearchParams, name: string, value: unknown) {
  for (const each of [value].flat()) {
    if (typeof each === 'string') query.append(name, each)
  }
}
