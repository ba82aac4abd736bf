import { allowOwnFiles } from '#pages/page_policy'
import type { HttpContext } from '@adonisjs/core/http'
import type { NextFn } from '@adonisjs/core/types/http'

export default class PagePolicyMiddleware {
  handle(ctx: HttpContext, next: NextFn) {
    allowOwnFiles(ctx)
    return next()
  }
}
