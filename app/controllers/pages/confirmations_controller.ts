import type { HttpContext } from '@adonisjs/core/http'
import { reauthenticate } from '#auth/mfa/reauthentication'
import { confirmationValidator, confirmationWithCodeValidator } from '#validators/pages'
import { renderConfirmation } from '#pages/reauthentication/reauthentication'
import { requestedConfirmation } from '#pages/reauthentication/confirmation'
import { requestedNext } from '#pages/sign_in/next_path'
import { submit } from '#pages/forms/forms'
import { actorOf } from '#http/request_source'

export default class ConfirmationsController {
  create(ctx: HttpContext) {
    return renderConfirmation(ctx, { next: requestedNext(ctx) })
  }

  async store(ctx: HttpContext) {
    const { user, session } = ctx.auth.use('web').getUserOrFail()
    const confirmation = requestedConfirmation(ctx)
    const outcome = await submit(ctx, {
      validator: user.mfaEnabled ? confirmationWithCodeValidator : confirmationValidator,
      fields: { E_INCORRECT_PASSWORD: 'password', E_INVALID_CODE: 'code' },
      action: ({ password: currentPassword, code = '' }: { password: string; code?: string }) =>
        reauthenticate(user, {
          sessionId: session.id,
          actor: actorOf(ctx),
          credentials: { currentPassword, code },
        }),
      onError: confirmation.renderAgain,
    })
    return outcome.ok ? confirmation.resume() : outcome.page
  }
}
