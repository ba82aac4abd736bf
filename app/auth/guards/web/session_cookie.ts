import type { HttpContext } from '@adonisjs/core/http'
import settings from '#config/web_session'
import tokens from '#config/tokens'
import { webCookie } from '#auth/sessions/web_session'
import type { StartedSession } from '#auth/sessions/sessions'

/** Returns an empty text if there is no cookie. */
export function sessionCookie({ request }: HttpContext): string {
  return request.plainCookie(settings.cookieName, { encoded: false }) ?? ''
}

export function setSessionCookie({ response }: HttpContext, started: StartedSession) {
  const cookie = webCookie(started.session, started.refreshToken)
  const maxAge = Math.floor(tokens.refreshTtlMs / 1_000)
  response.plainCookie(settings.cookieName, cookie, { encode: false, maxAge })
}

/** Clears only a sent cookie: a request of another site lacks it, and must not sign anyone out. */
export function clearSessionCookie(ctx: HttpContext) {
  if (sessionCookie(ctx)) ctx.response.clearCookie(settings.cookieName)
}
