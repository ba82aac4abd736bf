import type { HttpContext } from '@adonisjs/core/http'
import { openSavedForm, replayForm } from '#pages/forms/form_replay'
import type { Form } from '#pages/forms/forms'
import { renderConfirmation } from './reauthentication.ts'
import { afterSignIn, requestedNext } from '#pages/sign_in/next_path'
import { openNext } from '#pages/sign_in/requesting_application'

/** @returns the form to replay, or the page to open afterwards */
export function requestedConfirmation(ctx: HttpContext) {
  const { user } = ctx.auth.use('web').getUserOrFail()
  const { savedForm } = ctx.request.body()
  const next = requestedNext(ctx)
  const saved = openSavedForm(ctx, user.id)
  return {
    renderAgain: (form: Form) =>
      renderConfirmation(ctx, { next, savedForm, purpose: saved?.purpose, form }),
    resume: () => (saved ? replayForm(ctx, saved) : openNext(ctx, afterSignIn(next))),
  }
}
