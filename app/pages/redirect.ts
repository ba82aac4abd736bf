import type { HttpContext } from '@adonisjs/core/http'

export function redirectWithNotice(
  { session, response }: HttpContext,
  path: string,
  notice: string | null
) {
  if (notice) session.flash('notice', notice)
  return response.redirect().status(303).toPath(path)
}
