import type { HttpContext } from '@adonisjs/core/http'
import type { NextFn } from '@adonisjs/core/types/http'
import { restoreForm } from '#pages/forms/form_replay'

export default class RestoreFormMiddleware {
  handle(ctx: HttpContext, next: NextFn) {
    restoreForm(ctx)
    return next()
  }
}
