import { resetMfa } from '#users/reset_mfa'
import { changeTarget } from '#pages/users/user_page'
import { actorOf } from '#http/request_source'
import type { HttpContext } from '@adonisjs/core/http'

export default class UserMfaController {
  destroy(ctx: HttpContext) {
    return changeTarget(ctx, ({ id }) => resetMfa(id, actorOf(ctx)), 'mfa_reset')
  }
}
