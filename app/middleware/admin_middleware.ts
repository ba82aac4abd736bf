import type { HttpContext } from '@adonisjs/core/http'
import type { NextFn } from '@adonisjs/core/types/http'
import { E_FORBIDDEN } from '#exceptions/http_errors'
import { ADMIN_ROLE } from '#models/user'

/** Lets administrators pass; the answer is the same whether or not the target exists. */
export default class AdminMiddleware {
  handle({ auth }: HttpContext, next: NextFn) {
    if (auth.use('api').getUserOrFail().role !== ADMIN_ROLE) throw new E_FORBIDDEN()
    return next()
  }
}
