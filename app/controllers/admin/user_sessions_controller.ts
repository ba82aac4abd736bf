import { endAllSessionsAs, endSessionAs } from '#auth/sessions/end_session'
import { changeTarget } from '#pages/users/user_page'
import { actorOf } from '#http/request_source'
import type { HttpContext } from '@adonisjs/core/http'

export default class UserSessionsController {
  destroy(ctx: HttpContext) {
    const { sessionId } = ctx.params
    return changeTarget(ctx, ({ id }) => endSessionAs(id, sessionId, actorOf(ctx)), 'session_ended')
  }

  destroyAll(ctx: HttpContext) {
    return changeTarget(ctx, ({ id }) => endAllSessionsAs(id, actorOf(ctx)), 'sessions_ended')
  }
}
