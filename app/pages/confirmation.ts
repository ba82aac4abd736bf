import type { HttpContext } from '@adonisjs/core/http'
import { openSavedForm, replayForm } from './form_replay.ts'
import type { Form } from './forms.ts'
import { renderConfirmation } from './reauthentication.ts'
import { requestedNext } from './next_path.ts'

/** What a confirmation was asked for: the form that waits for it, or the page to open afterwards. */
export function requestedConfirmation(ctx: HttpContext) {
  const { user } = ctx.auth.use('web').getUserOrFail()
  const { savedForm } = ctx.request.body()
  const next = requestedNext(ctx)
  const saved = openSavedForm(ctx, user.id)
  return {
    renderAgain: (form: Form) =>
      renderConfirmation(ctx, { next, savedForm, purpose: saved?.purpose, form }),
    resume: () =>
      saved ? replayForm(ctx, saved) : ctx.response.redirect().status(303).toPath(next),
  }
}
