import { validate as isUuid } from 'uuid'
import type { HttpContext } from '@adonisjs/core/http'
import User from '#models/user'
import { E_NOT_FOUND } from '#exceptions/http_errors'

/** Authorize the caller first: 404 reveals users. @throws E_NOT_FOUND, also for a malformed id */
export async function getTargetUserOrFail({ params }: HttpContext): Promise<User> {
  const user = isUuid(params.id) ? await User.find(params.id) : null
  if (!user) throw new E_NOT_FOUND()
  return user
}
