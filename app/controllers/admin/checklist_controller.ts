import type { HttpContext } from '@adonisjs/core/http'
import { sendTestMail, waitForTestMail } from '#mails/queue/test_mail'
import { writesMailFiles } from '#mails/log/mail_file'
import { markChecklist, skipStep } from '#users/installation'
import { E_NOT_FOUND } from '#exceptions/http_errors'
import { STEPS } from '#pages/dashboard/first_run_steps'
import { actorOf } from '#http/request_source'

export default class ChecklistController {
  async mail(ctx: HttpContext) {
    const { user } = ctx.auth.use('web').getUserOrFail()
    const problem = refusalReason(user.isEmailVerified)
    if (problem) {
      ctx.session.flash('problem', ctx.i18n.t(`console.mails.refused.${problem}`))
      return ctx.response.redirect().status(303).toPath('/admin/mails')
    }
    const mailId = await sendTestMail(user, actorOf(ctx))
    const result = await waitForTestMail(mailId!)
    const text = ctx.i18n.t(`console.mails.test.${result.outcome}`, {
      email: user.email,
      ...result,
    })
    ctx.session.flash(result.outcome === 'sent' ? 'notice' : 'problem', text)
    return ctx.response.redirect().status(303).toPath('/admin/mails')
  }

  async docs({ response }: HttpContext) {
    await markChecklist('docs_opened_at')
    return response.redirect().status(303).toPath('/api-docs')
  }

  async skip({ params, response }: HttpContext) {
    const step = STEPS.find((name) => name === params.step)
    if (!step) throw new E_NOT_FOUND()
    await skipStep(step)
    return response.redirect().status(303).toPath('/admin')
  }

  async dismiss({ response }: HttpContext) {
    await markChecklist('checklist_dismissed_at')
    return response.redirect().status(303).toPath('/admin')
  }
}

function refusalReason(isVerified: boolean) {
  if (writesMailFiles()) return 'no_server'
  return isVerified ? null : 'unverified'
}
