import type { HttpContext } from '@adonisjs/core/http'
import { userActor, type Actor } from '#audit/actor'
import { originOf } from '#http/request_origin'

/** The administrator of a request to the console, for the audit trail. */
export function consoleActor(ctx: HttpContext): Actor {
  return userActor(ctx.auth.use('web').getUserOrFail().user.id, originOf(ctx))
}

/** Redirects after a form was submitted; the target page shows the notice. */
export function redirectWithNotice(
  { session, response }: HttpContext,
  path: string,
  notice: string
) {
  session.flash('notice', notice)
  return response.redirect().status(303).toPath(path)
}
