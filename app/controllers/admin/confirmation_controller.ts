import type { HttpContext } from '@adonisjs/core/http'
import { reauthenticate } from '#auth/mfa/reauthentication'
import { confirmationValidator, confirmationWithCodeValidator } from '#validators/admin'
import { renderConfirmation } from '#pages/reauthentication'
import { replayForm, openSavedForm } from '#pages/form_replay'
import { submit } from '#pages/forms'

/** Confirming the password before a sensitive action. */
export default class ConfirmationController {
  async store(ctx: HttpContext) {
    const { user, session } = ctx.auth.use('web').getUserOrFail()
    const { savedForm } = ctx.request.body()
    const saved = openSavedForm(ctx, user.id)
    const purpose = saved?.purpose ?? ''
    const outcome = await submit(ctx, {
      validator: user.mfaEnabled ? confirmationWithCodeValidator : confirmationValidator,
      fields: { E_INCORRECT_PASSWORD: 'password', E_INVALID_CODE: 'code' },
      perform: ({ password: currentPassword, code = '' }: { password: string; code?: string }) =>
        reauthenticate(user, session.id, { currentPassword, code }),
      again: (form) => renderConfirmation(ctx, { savedForm, purpose, form }),
    })
    if (!outcome.isDone) return outcome.page
    return saved ? replayForm(ctx, saved) : ctx.response.redirect().status(303).toPath('/admin')
  }
}
