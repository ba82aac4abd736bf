import type { HttpContext } from '@adonisjs/core/http'
import settings from '#config/console'
import { ADMIN_ROLE } from '#models/user'
import { saveForm } from './form_replay.ts'
import { EMPTY_FORM, type Form } from './forms.ts'

/*
 | A sign-in that somebody left open must not be enough to delete, to raise a role or to
 | take a second factor away: these ask for the password again (OWASP ASVS 7.5.3).
 */

const KEY = 'confirmed'

/** Whether who is signed in has proved who they are in the last minutes. */
export function isConfirmed({ session, caller }: HttpContext) {
  const confirmed = session.get(KEY)
  return confirmed?.sessionId === caller.session.id && confirmed.until > Date.now()
}

export function rememberConfirmation({ session, caller }: HttpContext) {
  session.put(KEY, {
    sessionId: caller.session.id,
    until: Date.now() + settings.confirmationMs,
  })
}

/** What else the browser remembers stays: a form that is still open in another tab needs it. */
export function forgetConfirmation({ session }: HttpContext) {
  session.forget(KEY)
}

/**
 * Asks for the password and keeps the form of this request until it was given.
 *
 * @param purpose what is about to happen and to whom, as a sentence
 */
export function askToConfirm(ctx: HttpContext, purpose: string) {
  ctx.response.status(403)
  const savedForm = saveForm(ctx, ctx.caller.user.id, purpose)
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

/** Whether a form would make an administrator, which is a change of role like any other. */
export function makesAdmin({ request }: HttpContext) {
  return request.body().role === ADMIN_ROLE
}

export function askToMakeAdmin(ctx: HttpContext) {
  return askToConfirm(ctx, `Make ${ctx.request.body().email} an administrator.`)
}
