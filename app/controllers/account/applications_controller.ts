import type { HttpContext } from '@adonisjs/core/http'
import { E_NOT_FOUND } from '#exceptions/http_errors'
import { listApplications } from '#oidc/grants/applications'
import { revokeConsent } from '#oidc/grants/end_grants'
import { accountBase, renderAccountPage } from '#pages/account/account_page'
import { redirectWithNotice } from '#pages/redirect'
import { actorOf } from '#http/request_source'

export default class ApplicationsController {
  async index(ctx: HttpContext) {
    const { user } = ctx.auth.use('web').getUserOrFail()
    const applications = await listApplications(user.id)
    return renderAccountPage(ctx, 'applications', { applications })
  }

  async destroy(ctx: HttpContext) {
    const { user } = ctx.auth.use('web').getUserOrFail()
    /** In the form and not the path, because the id may be a URL. */
    const { client_id: clientId } = ctx.request.body()
    if (typeof clientId !== 'string') throw new E_NOT_FOUND()
    await revokeConsent({ userId: user.id, clientId }, actorOf(ctx))
    const notice = ctx.i18n.t('applications.list.withdrawn')
    return redirectWithNotice(ctx, `${accountBase(ctx)}/applications`, notice)
  }
}
