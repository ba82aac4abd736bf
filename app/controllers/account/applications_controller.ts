import type { HttpContext } from '@adonisjs/core/http'
import { E_NOT_FOUND } from '#exceptions/http_errors'
import { listEnterableClients } from '#oidc/clients/access/enterable_clients'
import { parseCursor } from '#oidc/clients/client_list'
import { listApplications } from '#oidc/grants/applications'
import { revokeConsent } from '#oidc/grants/end_grants'
import { accountBase, renderAccountPage } from '#pages/account/account_page'
import { redirectWithNotice } from '#pages/redirect'
import { actorOf } from '#http/request_source'

const PAGE_SIZE = 100

export default class ApplicationsController {
  async index(ctx: HttpContext) {
    const { user } = ctx.auth.use('web').getUserOrFail()
    const given = String(ctx.request.qs().cursor ?? '')
    const cursor = parseCursor(given) ? given : null
    const [applications, { clients, next }] = await Promise.all([
      listApplications(user.id),
      listEnterableClients(user, { cursor, limit: PAGE_SIZE }),
    ])
    const path = `${accountBase(ctx)}/applications`
    return renderAccountPage(ctx, 'applications', {
      applications,
      clients,
      first: cursor && path,
      next: next && `${path}?${new URLSearchParams({ cursor: next })}`,
    })
  }

  async destroy(ctx: HttpContext) {
    const { user } = ctx.auth.use('web').getUserOrFail()
    /** In the form and not the path, because the id may be a URL. */
    const { client_id: clientId } = ctx.request.body()
    if (typeof clientId !== 'string' || clientId.includes('\0')) throw new E_NOT_FOUND()
    await revokeConsent({ userId: user.id, clientId }, actorOf(ctx))
    const notice = ctx.i18n.t('applications.list.withdrawn')
    return redirectWithNotice(ctx, `${accountBase(ctx)}/applications`, notice)
  }
}
