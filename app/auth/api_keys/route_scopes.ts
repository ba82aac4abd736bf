import type { Scope } from './scopes.ts'

/*
 | Which scope opens which route to an API key. A route that is not listed takes no key, so
 | that a new route is closed until somebody decides otherwise. Routes of passwords, factors,
 | identities, keys, the export and the deletion of oneself are left out on purpose.
 */
const SCOPE_OF_ROUTE: Record<string, Scope> = {
  'GET /auth/profile': 'profile:read',

  'GET /users': 'users:read',
  'GET /api/v2/users': 'users:read',
  'GET /users/:id': 'users:read',

  'POST /users': 'users:write',
  'PUT /users/:id': 'users:write',
  'DELETE /users/:id': 'users:write',
  'POST /users/:id/lock': 'users:write',
  'POST /users/:id/unlock': 'users:write',

  'GET /auth/sessions': 'sessions:read',
  'GET /users/:id/sessions': 'sessions:read',

  'DELETE /auth/sessions/:id': 'sessions:write',
  'DELETE /users/:id/sessions': 'sessions:write',
  'DELETE /users/:id/sessions/:sessionId': 'sessions:write',

  'GET /audit-events': 'audit:read',

  'POST /oauth/introspect': 'tokens:introspect',

  'GET /oauth-clients': 'clients:write',
  'POST /oauth-clients': 'clients:write',
  'GET /oauth-clients/:id': 'clients:write',
  'PUT /oauth-clients/:id': 'clients:write',
  'DELETE /oauth-clients/:id': 'clients:write',
  'POST /oauth-clients/:id/rotate-secret': 'clients:write',
}

/** Of `GET /auth/profile`, whose answer says what an active token is. */
export const PROFILE_SCOPE = SCOPE_OF_ROUTE['GET /auth/profile']

export const KEY_ROUTES = Object.keys(SCOPE_OF_ROUTE)

/** The scope of a route by its first method and its pattern; undefined where no key is taken. */
export function scopeOfRoute(route: { methods: string[]; pattern: string } | undefined) {
  return route && SCOPE_OF_ROUTE[`${route.methods[0]} ${route.pattern}`]
}
