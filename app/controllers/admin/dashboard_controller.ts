import type { HttpContext } from '@adonisjs/core/http'
import { dashboardPage, rangeOf } from '#pages/dashboard/dashboard_page'

export default class DashboardController {
  async show({ auth, request, view, i18n }: HttpContext) {
    const { user } = auth.use('web').getUserOrFail()
    const page = await dashboardPage(rangeOf(request.qs().range), user, i18n)
    return view.render('admin/dashboard', page)
  }
}
