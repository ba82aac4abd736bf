import type { HttpContext } from '@adonisjs/core/http'
import { renderClientAccess, renderUserAccess } from '#pages/access/access_pages'

/** Shows who may use which application, by application and by user. */
export default class AccessController {
  ofClient(ctx: HttpContext) {
    return renderClientAccess(ctx)
  }

  ofUser(ctx: HttpContext) {
    return renderUserAccess(ctx)
  }
}
