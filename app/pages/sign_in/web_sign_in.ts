import type { HttpContext } from '@adonisjs/core/http'
import { userActor } from '#audit/actor'
import {
  clearSessionCookie,
  sessionCookie,
  setSessionCookie,
} from '#auth/guards/web/session_cookie'
import { endSessionAs } from '#auth/sessions/end_session'
import { findWebCaller } from '#auth/sessions/web_session'
import { setDeviceCookie } from '#http/device_cookie'
import { sourceOf } from '#http/request_source'
import { rememberOwner } from '#pages/forms/form_replay'
import type { SignedIn } from '#auth/sign_in/result'

/** Gives a session to the browser. The one that its cookie named before ends: nobody could use it any more. */
export async function startWebSession(ctx: HttpContext, started: SignedIn) {
  await endWebSession(ctx)
  setSessionCookie(ctx, started)
  setDeviceCookie(ctx, started.deviceToken)
}

/** Ends the session of the browser, if it has one. */
export async function endWebSession(ctx: HttpContext) {
  const caller = await findWebCaller(sessionCookie(ctx))
  clearSessionCookie(ctx)
  if (!caller) return
  const { user, session } = caller
  await endSessionAs(user.id, session.id, userActor(user.id, sourceOf(ctx)))
  rememberOwner(ctx, user.id)
}
