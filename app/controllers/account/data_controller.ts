import type { HttpContext } from '@adonisjs/core/http'
import { exportApplications } from '#oidc/grants/applications'
import { exportProfile } from '#users/export_profile'
import { redirectToAccount, renderAccountPage } from '#pages/account/account_page'
import { reauthenticationOf } from '#http/reauthentication'
import { streamResponse } from '#http/stream_response'

export default class DataController {
  show(ctx: HttpContext) {
    return renderAccountPage(ctx, 'data')
  }

  /** Shown after reauthentication, because a download would leave the browser on that page. */
  begin(ctx: HttpContext) {
    return redirectToAccount(ctx, { page: '/data', notice: 'data.confirmed' })
  }

  async export(ctx: HttpContext) {
    const stream = await exportProfile(reauthenticationOf(ctx, {}), exportApplications)
    const name = `account-${new Date().toISOString().slice(0, 10)}.json`
    ctx.response.header('content-type', 'application/json; charset=utf-8')
    ctx.response.header('content-disposition', `attachment; filename="${name}"`)
    return streamResponse(ctx, stream)
  }
}
