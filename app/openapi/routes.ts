import router from '@adonisjs/core/services/router'
import { isApiRoute } from '#config/api_routes'

export interface ApiRoute {
  method: string
  pattern: string
  /** Method and pattern: the key in the tables of operations. */
  key: string
  operationId: string
  /**
   * `none` ignores an access token. `key` takes only an API key, `client` the credentials of a
   * client.
   */
  token: 'required' | 'optional' | 'none' | 'key' | 'client'
  needsAdmin: boolean
  takesJson: boolean
  /** The library of the OpenID provider answers. */
  isOfProvider?: boolean
}

/** Refuses unknown API versions. */
const REFUSED_VERSIONS = '/api/*'

/** Browsers send these before a GET, and before a request to another origin. */
const OF_BROWSERS = new Set(['HEAD', 'OPTIONS'])

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

/** Returns the name with the options that the route passes to the middleware. */
function nameOf(item: object): [string, any][] {
  return 'name' in item ? [[String(item.name), 'args' in item ? item.args : undefined]] : []
}

function tokenUse(named: Map<string, any>) {
  if (!named.has('auth')) return 'none'
  if (named.get('auth')?.isKeyOnly) return 'key'
  return named.get('auth')?.isOptional ? 'optional' : 'required'
}

/** Turns `sessions.logout_all` into `sessionsLogoutAll`. */
function toIdentifier(name: string) {
  const words = name.split(/[^A-Za-z0-9]+/).filter(Boolean)
  return words
    .map((word, index) =>
      index === 0 ? word.toLowerCase() : word[0].toUpperCase() + word.slice(1)
    )
    .join('')
}
