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
      ctx.session.flash('problem', ctx.i18n.t(`console.mails.refused.${problem}`))
      return ctx.response.redirect().status(303).toPath('/admin/mails')
    }
    await sendTestMail(user, actorOf(ctx))
    return redirectWithNotice(
      ctx,
      '/admin/mails',
      ctx.i18n.t('console.mails.test_sent', { email: user.email })
    )
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
  if (writesMailFiles) return 'no_server'
  return isVerified ? null : 'unverified'
}
