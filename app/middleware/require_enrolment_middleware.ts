import type { HttpContext } from '@adonisjs/core/http'
import type { NextFn } from '@adonisjs/core/types/http'
import { isEnrolledAdmin } from '#auth/guards/api/administrators'

/**
 * For routes that are not for administrators alone: refuses those who have to enrol a second
 * factor. A client, which `auth` let pass by its secret, is no user.
 */
export default class RequireEnrolmentMiddleware {
  async handle({ auth }: HttpContext, next: NextFn) {
    const { user: caller } = auth.use('api')
    if (caller) await isEnrolledAdmin(caller)
    return next()
  }
}
