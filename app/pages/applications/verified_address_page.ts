import type { HttpContext } from '@adonisjs/core/http'
import { writesMailFiles } from '#mails/log/mail_file'
import { recordRefusal } from '#oidc/refusals/record_refusal'
import { addressToConfirm, awaitConfirmation } from '#users/address_confirmation'
import { EMPTY_FORM, type Form } from '#pages/forms/forms'
import type { WaitingPage } from './waiting_sign_in.ts'

interface Forms {
  form?: Form
  address?: Form
  isResent?: boolean
}

/** The first view sends the mail. */
export async function renderVerifiedAddress(
  ctx: HttpContext,
  page: WaitingPage,
  forms: Forms = {}
) {
  const { user } = ctx.auth.use('web').getUserOrFail()
  const hasFailed = Boolean(forms.form ?? forms.address)
  const email = hasFailed ? addressToConfirm(user) : await awaitConfirmation(page.waiting, user)
  const { waiting, action, userCode } = page
  if (writesMailFiles()) reportRefusal(ctx, waiting)
  return ctx.view.render('applications/verified_address', {
    form: forms.form ?? EMPTY_FORM,
    address: forms.address ?? EMPTY_FORM,
    isResent: forms.isResent ?? false,
    name: waiting.name,
    path: waiting.path,
    action,
    userCode,
    email,
    writesMailFiles: writesMailFiles(),
  })
}

/** No mail reaches the user, so administrators find the user on the page of the application. */
function reportRefusal({ request }: HttpContext, { clientId, userId }: WaitingPage['waiting']) {
  recordRefusal(request.request, { clientId, reason: 'email_unverified', sent: userId })
}
