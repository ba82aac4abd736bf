import type { HttpContext } from '@adonisjs/core/http'

export default class DashboardController {
  show({ view }: HttpContext) {
    return view.render('console/dashboard')
  }
}
