import router from '@adonisjs/core/services/router'
import type { HttpContext } from '@adonisjs/core/http'
import { findProviderRoute } from '#start/routes/oauth'
import { E_METHOD_NOT_ALLOWED, E_NOT_FOUND } from './http_errors.ts'

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE']

/** 405 with `Allow` for a path that takes other methods (RFC 9110, section 15.5.6), otherwise 404. */
export function unroutedRefusal({ request }: HttpContext) {
  const url = request.url()
  const routed = METHODS.filter((method) => router.match(url, method, false))
  const provided = findProviderRoute(url)?.methods ?? []
  const allowed = new Set([...routed, ...provided, 'OPTIONS'])
  if (routed.length + provided.length === 0) return new E_NOT_FOUND()
  const headers = { Allow: [...allowed].toSorted().join(', ') }
  return Object.assign(new E_METHOD_NOT_ALLOWED(), { headers })
}
