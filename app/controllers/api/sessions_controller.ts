import type { HttpContext } from '@adonisjs/core/http'
import { endSessionAs, endAllSessionsAs } from '#auth/sessions/end_session'
import { listSessions } from '#auth/sessions/sessions'
import { sessionRecord } from '#transformers/session_record'
import { clearTokenCookies } from '#auth/guards/api/token_cookies'
import { actorOf } from '#http/request_origin'
import { E_NOT_FOUND } from '#exceptions/http_errors'

/** The caller's sessions: listing and ending them. */
export default class SessionsController {
  async index({ auth }: HttpContext) {
    const caller = auth.use('api').getUserOrFail()
    const sessions = await listSessions(caller.id)
    return sessions.map((session) => sessionRecord(session, caller.sessionId))
  }

  async destroy(ctx: HttpContext) {
    const caller = ctx.auth.use('api').getUserOrFail()
    const isEnded = await endSessionAs(caller.id, ctx.params.id, actorOf(ctx))
    if (!isEnded) throw new E_NOT_FOUND()
    return { message: 'Session ended' }
  }

  /** With `x-session-id` that session ends, without it all of them; a foreign id ends nothing and says so to nobody. */
  async logout(ctx: HttpContext) {
    const caller = ctx.auth.use('api').getUserOrFail()
    const sessionId = ctx.request.header('x-session-id')
    if (sessionId === undefined) await endAllSessionsAs(caller.id, actorOf(ctx))
    else await endSessionAs(caller.id, sessionId, actorOf(ctx))
    if (sessionId === undefined || sessionId === caller.sessionId) clearTokenCookies(ctx)
    return { message: 'Logged out' }
  }

  async logoutAll(ctx: HttpContext) {
    const caller = ctx.auth.use('api').getUserOrFail()
    await endAllSessionsAs(caller.id, actorOf(ctx))
    clearTokenCookies(ctx)
    return { message: 'Logged out from all devices' }
  }
}
