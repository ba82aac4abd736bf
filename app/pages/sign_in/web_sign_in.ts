import type { HttpContext } from '@adonisjs/core/http'
import { userActor } from '#audit/actor'
import {
  clearSessionCookie,
  sessionCookie,
  setSessionCookie,
} from '#auth/guards/web/session_cookie'
import { findWebSession } from '#auth/sessions/web_session'
import { setDeviceCookie } from '#http/device_cookie'
import { sourceOf } from '#http/request_source'
import { replaceWebSession, signOut } from '#oidc/grants/sign_out'
import { rememberOwner } from '#pages/forms/form_replay'
import type { SignedIn } from '#auth/sign_in/result'

/** The previous session of the cookie ends, because its cookie is overwritten. */
export async function startWebSession(ctx: HttpContext, started: SignedIn) {
  await endPrevious(ctx, started)
  setSessionCookie(ctx, started)
  setDeviceCookie(ctx, started.deviceToken)
}

async function endPrevious(ctx: HttpContext, { session }: SignedIn) {
  const previous = await forgetWebSession(ctx)
  if (!previous) return
  await replaceWebSession(previous, session, userActor(previous.userId, sourceOf(ctx)))
}

/** Also signs out of the applications that the browser was used for. */
export async function signOutOfBrowser(ctx: HttpContext) {
  const session = await forgetWebSession(ctx)
  if (session) await signOut(session, userActor(session.userId, sourceOf(ctx)))
}

async function forgetWebSession(ctx: HttpContext) {
  const found = await findWebSession(sessionCookie(ctx), Date.now())
  clearSessionCookie(ctx)
  if (found) rememberOwner(ctx, found.session.userId)
  return found?.session ?? null
}
