import type { HttpContext } from '@adonisjs/core/http'
import limits from '#config/limits'
import { clearSessionCookie } from '#auth/guards/web/session_cookie'
import {
  checkLogout,
  logOut,
  type CheckedLogout,
  type LogoutRequest,
} from '#oidc/interactions/logout'
import { actorOf } from '#http/request_source'
import { interstitial, renderStop } from '#pages/clients/application_pages'

/** The user confirms: another site must not sign a visitor out. */
export default class LogoutsController {
  async show(ctx: HttpContext) {
    const parameters = ctx.request.qs()
    const checked = await checkLogout(requestOf(parameters))
    if ('reason' in checked) return refuse(ctx, checked.reason)
    if (!(await ctx.auth.use('web').check())) return goOn(ctx, checked)
    return ctx.view.render('applications/logout', { name: checked.name, parameters })
  }

  async destroy(ctx: HttpContext) {
    const checked = await checkLogout(requestOf(ctx.request.body()))
    if ('reason' in checked) return refuse(ctx, checked.reason)
    if (await ctx.auth.use('web').check()) {
      const { user, session } = ctx.auth.use('web').getUserOrFail()
      await logOut(user.id, session.id, actorOf(ctx))
      clearSessionCookie(ctx)
    }
    return goOn(ctx, checked)
  }
}

function requestOf(parameters: Record<string, unknown>): LogoutRequest {
  const text = (name: string) => {
    const value = parameters[name]
    return typeof value === 'string' && value.length <= limits.logoutParameter ? value : undefined
  }
  return {
    idTokenHint: text('id_token_hint'),
    clientId: text('client_id'),
    postLogoutRedirectUri: text('post_logout_redirect_uri'),
    state: text('state'),
  }
}

function refuse(ctx: HttpContext, reason: string) {
  ctx.response.status(400)
  return renderStop(ctx, { reason })
}

function goOn(ctx: HttpContext, { name, url }: CheckedLogout) {
  return url ? interstitial(ctx, url, name ?? '') : renderStop(ctx, { reason: 'signed_out' })
}
