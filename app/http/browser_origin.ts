import type { HttpContext } from '@adonisjs/core/http'

const LOOPBACK = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/

/**
 * The scheme and host that the browser shows, as far as the request tells; null for a host that is
 * none. Browsers send `sec-fetch-site` over https alone, so that it tells of a proxy which does not.
 */
export function browserOrigin({ request }: HttpContext): string | null {
  const url = URL.parse(`http://${request.host() ?? ''}`)
  if (!url?.host) return null
  const isSecure = request.secure() || (hasFetchMetadata(request) && !LOOPBACK.test(url.hostname))
  return `${isSecure ? 'https' : 'http'}://${url.host}`
}

/** Whether another site, or another host of this one, led the browser here. Over plain http none tells. */
export function isCrossOrigin({ request }: HttpContext) {
  return ['cross-site', 'same-site'].includes(request.header('sec-fetch-site', '')!)
}

function hasFetchMetadata(request: HttpContext['request']) {
  return request.header('sec-fetch-site') !== undefined
}
