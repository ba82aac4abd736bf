import type { HttpContext } from '@adonisjs/core/http'
import type { NextFn } from '@adonisjs/core/types/http'
import { isEnrolledAdmin } from '#auth/administrators'

/** For routes that are not for administrators alone: refuses those who have to enrol a second factor. */
export default class RequireEnrolmentMiddleware {
  async handle({ auth }: HttpContext, next: NextFn) {
    await isEnrolledAdmin(auth.use('api').getUserOrFail().user)
    return next()
  }
}
