import type { HttpContext } from '@adonisjs/core/http'
import { listAccessibleClients } from '#oidc/clients/access/accessible_clients'
import { parseCursor } from '#oidc/clients/client_list'
import { listApplications } from '#oidc/grants/applications'
import { revokeConsent } from '#oidc/grants/end_grants'
import { accountBase, renderAccountPage } from '#pages/account/account_page'
import { clientIdOf } from '#pages/forms/client_id'
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
      listAccessibleClients(user, { cursor, limit: PAGE_SIZE }),
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
    await revokeConsent({ userId: user.id, clientId: clientIdOf(ctx) }, actorOf(ctx))
    const notice = ctx.i18n.t('applications.list.withdrawn')
    return redirectWithNotice(ctx, `${accountBase(ctx)}/applications`, notice)
  }
}
