import type { HttpContext } from '@adonisjs/core/http'
import { endSessionAs, endAllSessionsAs } from '#auth/sessions/end_session'
import { listSessions } from '#auth/sessions/sessions'
import { sessionRecord } from '#transformers/session_record'
import { clearTokenCookies } from '#auth/guards/api/token_cookies'
import { actorOf } from '#http/request_source'
import { E_NOT_FOUND } from '#exceptions/http_errors'

export default class SessionsController {
  async index({ auth }: HttpContext) {
    const caller = auth.use('api').getUserOrFail()
    const sessions = await listSessions(caller.user.id)
    return sessions.map((session) => sessionRecord(session, caller.session.id))
  }

  async destroy(ctx: HttpContext) {
    const { user } = ctx.auth.use('api').getUserOrFail()
    const isEnded = await endSessionAs(user.id, ctx.params.id, actorOf(ctx))
    if (!isEnded) throw new E_NOT_FOUND()
    return { message: 'Session ended' }
  }

  /**
   * Without `x-session-id` every session ends. An empty header ends the current one: a client that
   * lost the id must not sign out every device.
   */
  async logout(ctx: HttpContext) {
    const { user, session } = ctx.auth.use('api').getUserOrFail()
    /** The framework reads an empty header as none. */
    const header = ctx.request.request.headers['x-session-id']
    const sessionId = header === '' ? session.id : header?.toString()
    if (sessionId === undefined) await endAllSessionsAs(user.id, actorOf(ctx))
    else await endSessionAs(user.id, sessionId, actorOf(ctx))
    if (sessionId === undefined || sessionId === session.id) clearTokenCookies(ctx)
    return { message: 'Logged out' }
  }

  async logoutAll(ctx: HttpContext) {
    const { user } = ctx.auth.use('api').getUserOrFail()
    await endAllSessionsAs(user.id, actorOf(ctx))
    clearTokenCookies(ctx)
    return { message: 'Logged out from all devices' }
  }
}
