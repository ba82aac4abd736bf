import type { HttpContext } from '@adonisjs/core/http'
import type { NextFn } from '@adonisjs/core/types/http'
import settings from '#config/hosted_pages'
import { E_NOT_FOUND } from '#exceptions/http_errors'

export default class HostedPagesMiddleware {
  handle(_: HttpContext, next: NextFn) {
    if (!settings.isOn) throw new E_NOT_FOUND()
    return next()
  }
}
