import type { HttpContext } from '@adonisjs/core/http'
import { E_NOT_FOUND } from '#exceptions/http_errors'

/** Reads the id from the form and not from the path, because it may be a URL. */
export function clientIdOf({ request }: HttpContext): string {
  const { client_id: clientId } = request.body()
  if (typeof clientId !== 'string' || clientId.includes('\0')) throw new E_NOT_FOUND()
  return clientId
}
