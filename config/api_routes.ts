import type { HttpContext } from '@adonisjs/core/http'
import router from '@adonisjs/core/services/router'

type Route = Pick<ReturnType<typeof router.toJSON>[string][number], 'handler'>

/** What servers ask, and documents that allow every origin by themselves. */
const WITHOUT_CORS = new Set(['introspection', 'metrics', 'public_keys', 'related_origins'])

/** Only a controller of the API makes a route of the API: a new page becomes none by accident. */
export function isApiRoute(route: Route) {
  return apiControllerOf(route) !== undefined
}

/**
 * Whether scripts of `CORS_ORIGINS` may read the answer. With `AUTH_COOKIES` their requests
 * carry cookies, so a page that they could read would give them the token of its forms.
 */
export function allowsCors({ request }: HttpContext) {
  if (!request.header('origin')) return false
  const isPreflight = request.method() === 'OPTIONS'
  const method = isPreflight ? request.header('access-control-request-method') : request.method()
  const match = method && router.match(request.url(), method, false)
  const controller = match && apiControllerOf(match.route)
  return !!controller && !WITHOUT_CORS.has(controller)
}

function apiControllerOf({ handler }: Route) {
  if (typeof handler === 'function') return undefined
  return /#controllers\/api\/(\w+)_controller/.exec(handler.importExpression ?? '')?.[1]
}
