import type { Scope } from './scopes.ts'

// A route that is not listed accepts no key, so that new routes are closed. Passwords, factors,
// identities, keys, the export and deleting one's own account are left out on purpose.
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

  'GET /groups': 'groups:read',
  'GET /groups/:id': 'groups:read',
  'GET /groups/:id/members': 'groups:read',
  'GET /users/:id/groups': 'groups:read',
  'GET /auth/groups': 'groups:read',

  'POST /groups': 'groups:write',
  'PUT /groups/:id': 'groups:write',
  'DELETE /groups/:id': 'groups:write',
  'PUT /groups/:id/members/:userId': 'groups:write',
  'DELETE /groups/:id/members/:userId': 'groups:write',
  'PUT /users/:id/groups': 'groups:write',

  'GET /webhooks': 'webhooks:read',
  'GET /webhooks/:id': 'webhooks:read',
  'GET /webhooks/:id/deliveries': 'webhooks:read',

  'POST /webhooks': 'webhooks:write',
  'PUT /webhooks/:id': 'webhooks:write',
  'DELETE /webhooks/:id': 'webhooks:write',
  'POST /webhooks/:id/rotate-secret': 'webhooks:write',
  'POST /webhooks/:id/test': 'webhooks:write',
  'POST /webhooks/:id/replay': 'webhooks:write',
  'POST /webhooks/:id/deliveries/:deliveryId/retry': 'webhooks:write',

  'POST /oauth/introspect': 'tokens:introspect',

  'GET /oauth-clients': 'clients:write',
  'POST /oauth-clients': 'clients:write',
  'GET /oauth-clients/:id': 'clients:write',
  'PUT /oauth-clients/:id': 'clients:write',
  'DELETE /oauth-clients/:id': 'clients:write',
  'POST /oauth-clients/:id/rotate-secret': 'clients:write',
  'PUT /oauth-clients/:id/logo': 'clients:write',
  'DELETE /oauth-clients/:id/logo': 'clients:write',
}

export const PROFILE_SCOPE = SCOPE_OF_ROUTE['GET /auth/profile']

export const KEY_ROUTES = Object.keys(SCOPE_OF_ROUTE)

/** Returns undefined if the route accepts no key. */
export function scopeOfRoute(route: { methods: string[]; pattern: string } | undefined) {
  return route && SCOPE_OF_ROUTE[`${route.methods[0]} ${route.pattern}`]
}

/** A caller who directs events to an address can read the audit log there. */
const NEEDED_BESIDE: Partial<Record<Scope, Scope>> = { 'webhooks:write': 'audit:read' }

/** Returns an empty list if the route accepts no key. */
export function scopesNeededAt(route: Parameters<typeof scopeOfRoute>[0]) {
  const scope = scopeOfRoute(route)
  return scope ? [scope, NEEDED_BESIDE[scope]].filter((each) => each !== undefined) : []
}

export function opensRoute(scopes: readonly string[], route: Parameters<typeof scopeOfRoute>[0]) {
  const needed = scopesNeededAt(route)
  return needed.length > 0 && needed.every((scope) => scopes.includes(scope))
}
