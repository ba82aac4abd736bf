import router from '@adonisjs/core/services/router'
import { isApiRoute } from '#config/api_routes'

/** A route of the JSON API, with what its documentation derives from it. */
export interface ApiRoute {
  method: string
  pattern: string
  /** Method and pattern: the key in the tables of operations. */
  key: string
  operationId: string
  /**
   * Whether the route requires an access token, accepts one, ignores it, or takes an API key
   * or the credentials of a client alone.
   */
  token: 'required' | 'optional' | 'none' | 'key' | 'client'
  needsAdmin: boolean
  takesJson: boolean
  /** Answered by the library of the OpenID provider. */
  isOfProvider?: boolean
}

/** The refusal of unknown API versions. */
const REFUSED_VERSIONS = '/api/*'

/** What a browser asks by itself before a GET, and before a request to another origin. */
const OF_BROWSERS = new Set(['HEAD', 'OPTIONS'])

/** Every public route of the JSON API, as the router holds it at this moment. */
export function apiRoutes(): ApiRoute[] {
  const routes = Object.values(router.toJSON()).flat()
  return routes
    .filter((route) => isApiRoute(route) && route.pattern !== REFUSED_VERSIONS)
    .flatMap((route) =>
      route.methods
        .filter((method) => !OF_BROWSERS.has(method))
        .map((method) => toApiRoute(route, method))
    )
}

type Route = ReturnType<typeof router.toJSON>[string][number]

function toApiRoute({ pattern, name, middleware }: Route, method: string): ApiRoute {
  const named = new Map([...middleware.all()].flatMap(nameOf))
  return {
    method,
    pattern,
    key: `${method} ${pattern}`,
    operationId: toIdentifier(name ?? `${method} ${pattern}`),
    token: tokenUse(named),
    needsAdmin: named.has('requireAdmin'),
    takesJson: named.has('jsonBody'),
  }
}

/** A middleware by its name, with the options that the route passes to it. */
function nameOf(item: object): [string, any][] {
  return 'name' in item ? [[String(item.name), 'args' in item ? item.args : undefined]] : []
}

function tokenUse(named: Map<string, any>) {
  if (!named.has('auth')) return 'none'
  if (named.get('auth')?.isKeyOnly) return 'key'
  return named.get('auth')?.isOptional ? 'optional' : 'required'
}

/** `sessions.logout_all` is `sessionsLogoutAll`. */
function toIdentifier(name: string) {
  const words = name.split(/[^A-Za-z0-9]+/).filter(Boolean)
  return words
    .map((word, index) =>
      index === 0 ? word.toLowerCase() : word[0].toUpperCase() + word.slice(1)
    )
    .join('')
}
