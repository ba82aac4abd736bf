import type { HttpContext } from '@adonisjs/core/http'
import { clearSessionCookie, sessionCookie } from '#auth/guards/web/session_cookie'
import { formOwner, saveForm } from '#pages/forms/form_replay'
import { homePath, requestedNext, withNext } from './next_path.ts'
import { renderSignIn } from './sign_in_pages.ts'

export async function requireSignIn(ctx: HttpContext) {
  const cookie = sessionCookie(ctx)
  clearSessionCookie(ctx)
  const isForm = ctx.request.method() === 'POST'
  if (isForm && hasReadForm(ctx)) return ctx.response.send(await renderWithForm(ctx, cookie))
  /** The page of a mailed link has no session to keep the notice. */
  if (cookie && 'session' in ctx) ctx.session.flash('signedOut', ctx.i18n.t('sign_in.signed_out'))
  const [status, next] = isForm ? [303, consoleOrHome(ctx)] : [302, ctx.request.url(true)]
  // A redirect would keep the status that an error has set.
  ctx.response.status(status)
  return ctx.response.redirect().toPath(withNext('/sign-in', next))
}

/** A form with a picture is read after the sign-in, so it cannot be saved. */
function hasReadForm({ request }: HttpContext) {
  return request.csrfToken !== undefined
}

function renderWithForm(ctx: HttpContext, cookie: string) {
  const page = { status: 401, notice: ctx.i18n.t('sign_in.signed_out') }
  if (isConfirmation(ctx)) return renderSignIn(ctx, { ...page, ...confirmedForm(ctx) })
  const waiting = waitingPage(ctx)
  if (waiting) return renderSignIn(ctx, { ...page, next: waiting })
  const savedForm = saveForm(ctx, formOwner(ctx, cookie))
  return renderSignIn(ctx, { ...page, savedForm, next: consoleOrHome(ctx) })
}

/** The sign-in itself is a confirmation, and asking for another one would never end. */
function isConfirmation({ request }: HttpContext) {
  return /^\/confirm(\/|$)/.test(request.url())
}

function confirmedForm(ctx: HttpContext) {
  const { savedForm } = ctx.request.body()
  return { savedForm: typeof savedForm === 'string' ? savedForm : null, next: requestedNext(ctx) }
}

/** Returns the page of a waiting application, so that the user sees it before answering. */
function waitingPage({ request }: HttpContext) {
  return /^\/oauth\/(interaction\/[\w-]{1,64}|device(?=\/))/.exec(request.url())?.[0]
}

/** If the form could not be saved, its address has no page to open. */
function consoleOrHome({ request }: HttpContext) {
  return request.url().startsWith('/admin/') ? '/admin' : homePath()
}
