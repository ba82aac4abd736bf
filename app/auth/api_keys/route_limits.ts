import type { DelegatedLimit } from '#auth/lockout/throttle'

/** Any other request of a key or application counts as `delegatedChanges`, even on a new route. */
const LIMIT_OF_ROUTE: Record<string, DelegatedLimit | null> = {
  'POST /users': 'addedUsers',

  'POST /oauth-clients': 'clientChanges',
  'PUT /oauth-clients/:id': 'clientChanges',
  'DELETE /oauth-clients/:id': 'clientChanges',
  'POST /oauth-clients/:id/rotate-secret': 'clientChanges',
  'PUT /oauth-clients/:id/logo': 'clientChanges',
  'DELETE /oauth-clients/:id/logo': 'clientChanges',

  /** Ending a session is urgent. */
  'DELETE /auth/sessions/:id': null,
  'DELETE /users/:id/sessions': null,
  'DELETE /users/:id/sessions/:sessionId': null,

  /** An introspection writes nothing. */
  'POST /oauth/introspect': null,
}

/** Returns null if nothing is counted. */
export function limitOfRoute(route: { methods: string[]; pattern: string }) {
  const [method] = route.methods
  if (method === 'GET') return null
  const limit = LIMIT_OF_ROUTE[`${method} ${route.pattern}`]
  return limit === undefined ? 'delegatedChanges' : limit
}
