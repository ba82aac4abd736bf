import type { HttpContext } from '@adonisjs/core/http'
import limits from '#config/limits'
import { clearSessionCookie } from '#auth/guards/web/session_cookie'
import { signOut } from '#oidc/grants/sign_out'
import {
  checkLogout,
  type CheckedLogout,
  type LogoutRequest,
  type RefusedLogout,
} from '#oidc/interactions/check_logout'
import { logOutByHint } from '#oidc/interactions/logout'
import { browserId } from '#http/device_cookie'
import { actorOf } from '#http/request_source'
import { recordRefusal } from '#oidc/refusals/record_refusal'
import { isAdminIn } from '#pages/clients/refused_application'
import { renderInterstitial, renderStop } from '#pages/clients/application_pages'

/** The user confirms a logout that no ID token proves: other sites must not sign visitors out. */
export default class LogoutsController {
  async show(ctx: HttpContext) {
    const parameters = ctx.request.qs()
    const checked = await checkLogout(requestOf(parameters))
    if ('reason' in checked) return refuse(ctx, checked)
    if (!(await ctx.auth.use('web').check())) return redirectOn(ctx, checked)
    const caller = ctx.auth.use('web').getUserOrFail()
    const from = { browserId: browserId(ctx), actor: actorOf(ctx) }
    const ended = await logOutByHint(checked, caller, from)
    if (ended === 'everything') {
      clearSessionCookie(ctx)
      return redirectOn(ctx, checked)
    }
    const text = ended === 'own' ? 'own' : textOf(checked)
    return ctx.view.render('applications/logout', { ...checked, text, parameters })
  }

  async destroy(ctx: HttpContext) {
    const checked = await checkLogout(requestOf(ctx.request.body()))
    if ('reason' in checked) return refuse(ctx, checked)
    if (await ctx.auth.use('web').check()) {
      const { session } = ctx.auth.use('web').getUserOrFail()
      await signOut(session, actorOf(ctx))
      clearSessionCookie(ctx)
    }
    const { url, name } = checked
    return url ? renderInterstitial(ctx, url, name ?? '') : renderSignedOut(ctx)
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

function textOf({ isUnreadable, name }: CheckedLogout) {
  if (isUnreadable) return 'unreadable'
  return name === null ? 'lead' : 'asked'
}

function refuse(ctx: HttpContext, { reason, refused }: RefusedLogout) {
  if (refused) recordRefusal(ctx.request.request, { ...refused, isTrusted: () => isAdminIn(ctx) })
  ctx.response.status(400)
  return renderStop(ctx, { reason })
}

function redirectOn(ctx: HttpContext, { url }: CheckedLogout) {
  return url ? ctx.response.redirect().status(303).toPath(url) : renderSignedOut(ctx)
}

function renderSignedOut(ctx: HttpContext) {
  return renderStop(ctx, { reason: 'signed_out' })
}
