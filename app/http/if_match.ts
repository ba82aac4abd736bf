import type { HttpContext } from '@adonisjs/core/http'
import { E_PRECONDITION_REQUIRED } from '#settings/errors'

/** Makes one of two administrators read the other's change first (RFC 6585, section 3). */
export function ifMatchOf({ request }: HttpContext) {
  const header = request.header('if-match')?.trim()
  if (!header) throw new E_PRECONDITION_REQUIRED()
  return header
}
