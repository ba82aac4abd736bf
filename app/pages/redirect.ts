import type { HttpContext } from '@adonisjs/core/http'
import { userActor, type Actor } from '#audit/actor'
import { originOf } from '#http/request_origin'

/** The administrator who acts, for the audit trail. */
export function consoleActor(ctx: HttpContext): Actor {
  return userActor(ctx.caller.user.id, originOf(ctx))
}

/** Sends the browser on after something was done, with a word about it. */
export function redirectWithNotice(
  { session, response }: HttpContext,
  path: string,
  notice: string
) {
  session.flash('notice', notice)
  return response.redirect().status(303).toPath(path)
}
