import type { HttpContext } from '@adonisjs/core/http'
import settings from '#config/console'
import { ADMIN_ROLE } from '#models/user'
import { saveForm } from './form_replay.ts'
import { EMPTY_FORM, type Form } from './forms.ts'

/*
 | Deleting a user, raising a role and removing a second factor ask for the password again
 | (OWASP ASVS 7.5.3): an attacker at an unattended browser must not be able to do them.
 */

const KEY = 'confirmed'

/** Whether the administrator has confirmed their password in this session a few minutes ago. */
export function isConfirmed({ session, auth }: HttpContext) {
  const confirmed = session.get(KEY)
  const caller = auth.use('web').getUserOrFail()
  return confirmed?.sessionId === caller.session.id && confirmed.until > Date.now()
}

export function rememberConfirmation({ session, auth }: HttpContext) {
  const caller = auth.use('web').getUserOrFail()
  const until = Date.now() + settings.confirmationMs
  session.put(KEY, { sessionId: caller.session.id, until })
}

/** Other values of the browser session stay: a form that is open in another tab needs them. */
export function forgetConfirmation({ session }: HttpContext) {
  session.forget(KEY)
}

/**
 * Asks for the password and saves the form of this request, which is repeated afterwards.
 *
 * @param purpose a sentence that names the action and the user it concerns
 */
export function askToConfirm(ctx: HttpContext, purpose: string) {
  ctx.response.status(403)
  const { user } = ctx.auth.use('web').getUserOrFail()
  const savedForm = saveForm(ctx, user.id, purpose)
  return renderConfirmation(ctx, { savedForm, purpose })
}

interface Confirmation {
  savedForm: unknown
  purpose: string
  form?: Form
}

export function renderConfirmation(ctx: HttpContext, confirmation: Confirmation) {
  const minutes = settings.confirmationMs
  return ctx.view.render('admin/confirm', { form: EMPTY_FORM, ...confirmation, minutes })
}

/** Whether a form would create an administrator, which needs the same proof as a change of role. */
export function makesAdmin({ request }: HttpContext) {
  return request.body().role === ADMIN_ROLE
}

export function askToMakeAdmin(ctx: HttpContext) {
  return askToConfirm(ctx, `Make ${ctx.request.body().email} an administrator.`)
}
