import type { HttpContext } from '@adonisjs/core/http'
import { renderSecurity } from '#pages/account/security_page'

export default class SecurityController {
  show(ctx: HttpContext) {
    return renderSecurity(ctx)
  }
}
