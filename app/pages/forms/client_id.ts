import type { HttpContext } from '@adonisjs/core/http'
import { E_NOT_FOUND } from '#exceptions/http_errors'

/** In the form and not the path, because the id may be a URL. */
export function clientIdOf({ request }: HttpContext): string {
  const { client_id: clientId } = request.body()
  if (typeof clientId !== 'string' || clientId.includes('\0')) throw new E_NOT_FOUND()
  return clientId
}
