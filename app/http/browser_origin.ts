import type { HttpContext } from '@adonisjs/core/http'

const LOOPBACK = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/

/**
 * Returns the scheme and host that the browser shows, as far as the request tells, or null for an
 * invalid host. Browsers send `sec-fetch-site` only over https: it tells what a proxy does not.
 */
export function browserOrigin({ request }: HttpContext): string | null {
  const url = URL.parse(`http://${request.host() ?? ''}`)
  if (!url?.host) return null
  const isSecure = request.secure() || (hasFetchMetadata(request) && !LOOPBACK.test(url.hostname))
  return `${isSecure ? 'https' : 'http'}://${url.host}`
}

/** Whether another site, or another host of this one, led here. Plain http has no such header. */
export function isCrossOrigin({ request }: HttpContext) {
  return ['cross-site', 'same-site'].includes(request.header('sec-fetch-site', '')!)
}

function hasFetchMetadata(request: HttpContext['request']) {
  return request.header('sec-fetch-site') !== undefined
}
