import router from '@adonisjs/core/services/router'
import { findProviderRoute } from '#start/routes/oauth'

let staticPatterns: Set<string> | undefined

/** Most requests have a path without a parameter, which one look-up finds. */
function findStatic() {
  const routes = Object.values(router.toJSON()).flat()
  const named = routes.flatMap(({ methods, pattern }) =>
    methods.map((method) => `${method} ${pattern}`)
  )
  return new Set(named.filter((name) => !/[:*]/.test(name)))
}

/** Returns null for a path without a route. A pattern contains no id or secret of the path. */
export function routePattern(method: string, url: string): string | null {
  const [path] = url.split('?', 1)
  const provided = findProviderRoute(path)
  if (provided?.methods.includes(method)) return provided.path
  staticPatterns ??= findStatic()
  if (staticPatterns.has(`${method} ${path}`)) return path
  return router.match(path, method, false)?.route.pattern ?? null
}
