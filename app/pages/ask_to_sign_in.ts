import type { HttpContext } from '@adonisjs/core/http'
import { clearSessionCookie, sessionCookie } from '#auth/guards/web/session_cookie'
import { formOwner, saveForm } from './form_replay.ts'
import { homePath, withNext } from './next_path.ts'
import { renderSignIn } from './sign_in_pages.ts'

/** Shows the sign-in page instead of the requested one; a form that was sent is saved in it. */
export async function askToSignIn(ctx: HttpContext) {
  const cookie = sessionCookie(ctx)
  clearSessionCookie(ctx)
  if (ctx.request.method() === 'POST') return ctx.response.send(await renderWithForm(ctx, cookie))
  if (cookie) ctx.session.flash('signedOut', ctx.i18n.t('sign_in.signed_out'))
  return ctx.response.redirect().toPath(withNext('/sign-in', ctx.request.url(true)))
}

function renderWithForm(ctx: HttpContext, cookie: string) {
  const savedForm = saveForm(ctx, formOwner(ctx, cookie))
  const page = { status: 401, notice: ctx.i18n.t('sign_in.signed_out'), savedForm }
  return renderSignIn(ctx, { ...page, next: consoleOrHome(ctx) })
}

/** The address of a form has no page of its own to go on with, where the form could not be saved. */
function consoleOrHome({ request }: HttpContext) {
  return request.url().startsWith('/admin/') ? '/admin' : homePath()
}
