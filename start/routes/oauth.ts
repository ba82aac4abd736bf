import oidc from '#config/oidc'

/*
 | The paths of the OpenID provider. `app/http/server.ts` hands these requests to
 | `app/oidc/provider/dispatch.ts` before the router sees them.
 */

const READ = ['GET', 'HEAD', 'OPTIONS']
const POST = ['POST', 'OPTIONS']

interface ProviderRoute {
  path: string
  methods: string[]
}

/** By the name that the provider has for a route. */
export const PROVIDER_ROUTES = {
  discovery: { path: '/.well-known/openid-configuration', methods: READ },
  metadata: { path: '/.well-known/oauth-authorization-server', methods: READ },
  authorization: { path: '/oauth/authorize', methods: READ },
  resume: { path: '/oauth/authorize/:uid', methods: READ },
  pushed_authorization_request: { path: '/oauth/par', methods: POST },
  device_authorization: { path: '/oauth/device/authorization', methods: POST },
  token: { path: '/oauth/token', methods: POST },
  userinfo: { path: '/oauth/userinfo', methods: [...READ, ...POST] },
  revocation: { path: '/oauth/revoke', methods: POST },
} satisfies Record<string, ProviderRoute>

/** What the provider advertises and our own routes answer (`applications`, `clients`, `keys`). */
export const ADVERTISED_PATHS = {
  code_verification: '/oauth/device',
  end_session: '/oauth/logout',
  introspection: '/oauth/introspect',
  jwks: '/.well-known/jwks.json',
}

/** Requests without credentials that write a row each. */
export const WRITING_ROUTES: (keyof typeof PROVIDER_ROUTES)[] = [
  'authorization',
  'resume',
  'pushed_authorization_request',
  'device_authorization',
]

/** The page of an error, which is reached by no address of its own. */
export const FAILURE_PATH = '/oauth/failure'

const byPath = new Map(Object.entries(PROVIDER_ROUTES).map((entry) => [entry[1].path, entry]))

/** The route that answers a URL, by its name; asked of every request, so the prefix comes first. */
export function findProviderRoute(url: string) {
  const isNear = url.startsWith('/oauth/') || url.startsWith('/.well-known/o')
  if (!isNear || !oidc.isOn) return undefined
  const [path] = url.split('?', 1)
  const [name, route] = byPath.get(path.replace(/^(\/oauth\/authorize)\/[\w-]+$/, '$1/:uid')) ?? []
  return route && { name: name as keyof typeof PROVIDER_ROUTES, ...route }
}
