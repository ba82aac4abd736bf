import type { HttpContext } from '@adonisjs/core/http'
import { renderClientAccess, renderUserAccess } from '#pages/access/access_pages'

/** Who may use which application, from both sides. */
export default class AccessController {
  ofClient(ctx: HttpContext) {
    return renderClientAccess(ctx)
  }

  ofUser(ctx: HttpContext) {
    return renderUserAccess(ctx)
  }
}
