import type { HttpContext } from '@adonisjs/core/http'
import { assertOwner } from '#auth/mfa/reauthentication'
import { confirmationValidator, confirmationWithCodeValidator } from '#validators/admin'
import { rememberConfirmation, renderConfirmation } from '#pages/reauthentication'
import { continueForm, openKeptForm } from '#pages/form_replay'
import { submit } from '#pages/forms'

/** Proving anew who one is, on the way to something that matters. */
export default class ConfirmationController {
  async store(ctx: HttpContext) {
    const { user } = ctx.caller
    const { resume } = ctx.request.body()
    const kept = openKeptForm(ctx, user.id)
    const purpose = kept?.purpose ?? ''
    const outcome = await submit(ctx, {
      validator: user.mfaEnabled ? confirmationWithCodeValidator : confirmationValidator,
      fields: { E_INCORRECT_PASSWORD: 'password', E_INVALID_CODE: 'code' },
      perform: (proof) => assertOwner(user, proof),
      again: (form) => renderConfirmation(ctx, { resume, purpose, form }),
    })
    if (!outcome.isDone) return outcome.page
    rememberConfirmation(ctx)
    return kept ? continueForm(ctx, kept) : ctx.response.redirect().status(303).toPath('/admin')
  }
}
