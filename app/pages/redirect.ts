import type { HttpContext } from '@adonisjs/core/http'

/** Redirects after a form was submitted; the target page shows the notice. */
export function redirectWithNotice(
  { session, response }: HttpContext,
  path: string,
  notice: string | null
) {
  if (notice) session.flash('notice', notice)
  return response.redirect().status(303).toPath(path)
}
