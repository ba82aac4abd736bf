import type { HttpContext } from '@adonisjs/core/http'
import type { NextFn } from '@adonisjs/core/types/http'
import { isEnrolledAdmin } from '#auth/guards/api/administrators'

/** A client, which `auth` accepts by its secret, is no user and needs no second factor. */
export default class RequireEnrolmentMiddleware {
  async handle({ auth }: HttpContext, next: NextFn) {
    const { user: caller } = auth.use('api')
    if (caller) await isEnrolledAdmin(caller)
    return next()
  }
}
