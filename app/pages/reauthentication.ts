import type { HttpContext } from '@adonisjs/core/http'
import settings from '#config/mfa'
import { ADMIN_ROLE } from '#models/user'
import { saveForm } from './form_replay.ts'
import { EMPTY_FORM, type Form } from './forms.ts'

/*
 | Deleting a user, raising a role and removing a second factor ask for the password again
 | unless the session is recent (`app/auth/mfa/recent_proof.ts`): an attacker at an
 | unattended browser must not be able to do them.
 */

export function isConfirmed({ auth }: HttpContext) {
  return auth.use('web').getUserOrFail().hasRecentProof
}

/** Whether a change has to be confirmed first that does so for administrators alone. */
export function mustConfirm(ctx: HttpContext, user: { isAdmin: boolean }) {
  return user.isAdmin && !isConfirmed(ctx)
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
  const minutes = settings.recentProofMs
  return ctx.view.render('admin/confirm', { form: EMPTY_FORM, ...confirmation, minutes })
}

/** Whether a form would create an administrator, which needs the same proof as a change of role. */
export function makesAdmin({ request }: HttpContext) {
  return request.body().role === ADMIN_ROLE
}

export function askToMakeAdmin(ctx: HttpContext) {
  const { email, username } = ctx.request.body()
  return askToConfirm(ctx, `Make ${email ?? username} an administrator.`)
}
