import { unlinkProvider } from '#users/unlink_identity'
import { changeTarget } from '#pages/users/user_page'
import { actorOf } from '#http/request_source'
import type { HttpContext } from '@adonisjs/core/http'

export default class UserIdentitiesController {
  destroy(ctx: HttpContext) {
    const { provider } = ctx.params
    return changeTarget(ctx, ({ id }) => unlinkProvider(id, { provider }, actorOf(ctx)), 'unlinked')
  }
}
