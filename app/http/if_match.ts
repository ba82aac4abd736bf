import type { HttpContext } from '@adonisjs/core/http'
import { E_PRECONDITION_REQUIRED } from '#settings/errors'

/** Of two administrators at once one reads first what the other has changed (RFC 6585, section 3). */
export function ifMatchOf({ request }: HttpContext) {
  const header = request.header('if-match')?.trim()
  if (!header) throw new E_PRECONDITION_REQUIRED()
  return header
}
