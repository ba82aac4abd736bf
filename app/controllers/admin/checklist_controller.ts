import type { HttpContext } from '@adonisjs/core/http'
import { sendTestMail } from '#mails/test_mail'
import { writesMailFiles } from '#mails/mail_file'
import { markChecklist } from '#users/installation'
import { actorOf } from '#http/request_origin'
import { redirectWithNotice } from '#pages/redirect'

/** The steps of the first run, on the dashboard. */
export default class ChecklistController {
  async mail(ctx: HttpContext) {
    const { user } = ctx.auth.use('web').getUserOrFail()
    const problem = refusalReason(user.isEmailVerified)
    if (problem) {
      ctx.session.flash('problem', problem)
      return ctx.response.redirect().status(303).toPath('/admin/mails')
    }
    await sendTestMail(user, actorOf(ctx))
    return redirectWithNotice(ctx, '/admin/mails', `A test mail is on its way to ${user.email}.`)
  }

  async docs({ response }: HttpContext) {
    await markChecklist('docs_opened_at')
    return response.redirect().status(303).toPath('/api-docs')
  }

  async dismiss({ response }: HttpContext) {
    await markChecklist('checklist_dismissed_at')
    return response.redirect().status(303).toPath('/admin')
  }
}

function refusalReason(isVerified: boolean) {
  if (writesMailFiles) return 'No mail server is set: a test mail would only become a file.'
  return isVerified ? null : 'Verify your own address first: an unverified one gets no such mail.'
}
