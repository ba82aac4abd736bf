import type { HttpContext } from '@adonisjs/core/http'
import { renderSecurity } from '#pages/account/security_page'

/** How a user signs in, and what else can act for them. */
export default class SecurityController {
  show(ctx: HttpContext) {
    return renderSecurity(ctx)
  }
}
