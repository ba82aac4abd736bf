import type { HttpContext } from '@adonisjs/core/http'
import { introspect } from '#oidc/tokens/introspection'
import { introspectValidator } from '#validators/api_keys'
import { clientOf } from '#http/client_credentials'
import { bodyOf } from '#http/request_body'

/** RFC 7662 */
export default class IntrospectionController {
  async store(ctx: HttpContext) {
    const { token } = await bodyOf(ctx, introspectValidator)
    return introspect(token, clientOf(ctx))
  }
}
