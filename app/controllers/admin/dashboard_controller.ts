import type { HttpContext } from '@adonisjs/core/http'
import { browserOrigin } from '#http/browser_origin'
import { dashboardPage, rangeOf } from '#pages/dashboard/dashboard_page'

export default class DashboardController {
  async show(ctx: HttpContext) {
    const { auth, request, view, i18n } = ctx
    const { user: administrator } = auth.use('web').getUserOrFail()
    const reader = { administrator, i18n, origin: browserOrigin(ctx) }
    const page = await dashboardPage(rangeOf(request.qs().range), reader)
    return view.render('admin/dashboard', page)
  }
}
