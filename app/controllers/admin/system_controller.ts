import type { HttpContext } from '@adonisjs/core/http'
import { browserOrigin } from '#http/browser_origin'
import { systemPage } from '#pages/system/system_page'

export default class SystemController {
  async show(ctx: HttpContext) {
    return ctx.view.render('admin/system', await systemPage(ctx.i18n, browserOrigin(ctx)))
  }
}
