import type { HttpContext } from '@adonisjs/core/http'
import { endAllSessionsAs, endSessionAs } from '#auth/sessions/end_session'
import { listSessions } from '#auth/sessions/sessions'
import { clearSessionCookie } from '#auth/guards/web/session_cookie'
import { E_NOT_FOUND } from '#exceptions/http_errors'
import { redirectToAccount, renderAccountPage } from '#pages/account/account_page'
import { actorOf } from '#http/request_source'

export default class SessionsController {
  async index(ctx: HttpContext) {
    const { user, session } = ctx.auth.use('web').getUserOrFail()
    const sessions = await listSessions(user.id)
    return renderAccountPage(ctx, 'sessions', { sessions, ownSessionId: session.id })
  }

  async destroy(ctx: HttpContext) {
    const { user } = ctx.auth.use('web').getUserOrFail()
    const isEnded = await endSessionAs(user.id, ctx.params.id, actorOf(ctx))
    if (!isEnded) throw new E_NOT_FOUND()
    return redirectToAccount(ctx, { page: '/sessions', notice: 'sessions.ended' })
  }

  async destroyOthers(ctx: HttpContext) {
    const { user, session } = ctx.auth.use('web').getUserOrFail()
    await endAllSessionsAs(user.id, actorOf(ctx), session.id)
    return redirectToAccount(ctx, { page: '/sessions', notice: 'sessions.ended_others' })
  }

  async destroyAll(ctx: HttpContext) {
    const { user } = ctx.auth.use('web').getUserOrFail()
    await endAllSessionsAs(user.id, actorOf(ctx))
    clearSessionCookie(ctx)
    ctx.session.flash('notice', ctx.i18n.t('account.sessions.ended_all'))
    return ctx.response.redirect().status(303).toPath('/sign-in')
  }
}
