import type { HttpContext } from '@adonisjs/core/http'
import router from '@adonisjs/core/services/router'

type Route = Pick<ReturnType<typeof router.toJSON>[string][number], 'handler'>

const WITHOUT_CORS = new Set([
  'introspection',
  'metrics',
  'public_keys',
  'related_origins',
  'webfinger',
])

export function isApiRoute(route: Route) {
  return apiControllerOf(route) !== undefined
}

/** With `AUTH_COOKIES`, a script of `CORS_ORIGINS` could read the CSRF token in forms of a page. */
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
