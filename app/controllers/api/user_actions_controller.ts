import lockout from '#config/lockout'
import { lockUser, unlockUser } from '#users/lock_user'
import { sendPasswordReset } from '#users/request_password_reset'
import { resetMfa } from '#users/reset_mfa'
import { endAllSessionsAs, endSessionAs } from '#auth/sessions/end_session'
import { listSessions } from '#auth/sessions/sessions'
import { E_NOT_FOUND } from '#exceptions/http_errors'
import { reauthenticatedActorOf } from '#http/reauthentication'
import { actorOf } from '#http/request_source'
import { reauthenticationValidator } from '#validators/auth'
import { lockUserValidator } from '#validators/users'
import { sessionRecord } from '#transformers/session_record'
import { getTargetUserOrFail } from '#http/target_user'
import { adminRecord } from '#http/user_records'
import { bodyOf } from '#http/request_body'
import type { HttpContext } from '@adonisjs/core/http'

export default class UserActionsController {
  async unlock(ctx: HttpContext) {
    const { id } = await getTargetUserOrFail(ctx)
    const actor = await reauthenticatedActorOf(ctx, await bodyOf(ctx, reauthenticationValidator))
    return adminRecord(ctx, await unlockUser(id, actor))
  }

  /** Without `until` the lock lasts as long as after failed logins. */
  async lock(ctx: HttpContext) {
    const { id } = await getTargetUserOrFail(ctx)
    const { until, ...credentials } = await bodyOf(ctx, lockUserValidator)
    const actor = await reauthenticatedActorOf(ctx, credentials)
    const user = await lockUser(id, until ?? Date.now() + lockout.durationMs, actor)
    return adminRecord(ctx, user)
  }

  async resetMfa(ctx: HttpContext) {
    const { id } = await getTargetUserOrFail(ctx)
    const actor = await reauthenticatedActorOf(ctx, await bodyOf(ctx, reauthenticationValidator))
    return adminRecord(ctx, await resetMfa(id, actor))
  }

  async sendPasswordReset(ctx: HttpContext) {
    const user = await getTargetUserOrFail(ctx)
    await sendPasswordReset(
      user,
      await reauthenticatedActorOf(ctx, await bodyOf(ctx, reauthenticationValidator))
    )
    return ctx.response.accepted({ message: 'Password reset mail queued' })
  }

  async sessions(ctx: HttpContext) {
    const { id } = await getTargetUserOrFail(ctx)
    const caller = ctx.auth.use('api').getUserOrFail()
    const sessions = await listSessions(id)
    return sessions.map((session) => sessionRecord(session, caller.session.id))
  }

  async endSessions(ctx: HttpContext) {
    const { id } = await getTargetUserOrFail(ctx)
    const endedSessions = await endAllSessionsAs(id, actorOf(ctx))
    return { message: 'Sessions ended', endedSessions }
  }

  async endSession(ctx: HttpContext) {
    const { id } = await getTargetUserOrFail(ctx)
    const isEnded = await endSessionAs(id, ctx.params.sessionId, actorOf(ctx))
    if (!isEnded) throw new E_NOT_FOUND()
    return { message: 'Session ended' }
  }
}
