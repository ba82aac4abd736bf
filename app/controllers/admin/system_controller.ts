import type { HttpContext } from '@adonisjs/core/http'
import { systemPage } from '#pages/system/system_page'

export default class SystemController {
  async show({ view, i18n }: HttpContext) {
    return view.render('admin/system', await systemPage(i18n))
  }
}
