import oidc from '#config/oidc'

/*
 | `app/http/server.ts` hands these requests to `app/oidc/provider/dispatch.ts` before the router sees
 | them. A posted authorization goes to the router (`start/routes/oauth_pages.ts`), for its form.
 | `app/oidc/provider/policy.ts` decides what a user is asked.
 */

const READ = ['GET', 'HEAD', 'OPTIONS']
const POST = ['POST', 'OPTIONS']

interface ProviderRoute {
  path: string
  methods: string[]
}

/** The keys are the provider's names of its routes. */
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

/** The provider advertises these; our own routes answer (`oauth_pages`, `clients`, `keys`). */
export const ADVERTISED_PATHS = {
  code_verification: '/oauth/device',
  end_session: '/oauth/logout',
  introspection: '/oauth/introspect',
  jwks: '/.well-known/jwks.json',
}

/**
 * Requests without credentials that write a row each, so they are throttled. An authorization writes
 * one only if the sign-in form cannot repeat it (`app/oidc/provider/patches/sign_in_form.ts`).
 */
export const WRITING_ROUTES: (keyof typeof PROVIDER_ROUTES)[] = [
  'resume',
  'pushed_authorization_request',
  'device_authorization',
]

/** Applications read these before they copy the public keys. */
export const DISCOVERY_ROUTES: (keyof typeof PROVIDER_ROUTES)[] = ['discovery', 'metadata']

/** `dispatch.ts` rewrites requests to these paths; no link leads to them. */
export const FAILURE_PATH = '/oauth/failure'
export const ANSWER_PATH = '/oauth/answer'

const byPath = new Map(Object.entries(PROVIDER_ROUTES).map((entry) => [entry[1].path, entry]))

/** Called for every request, so the cheap test of the prefix comes first. */
export function findProviderRoute(url: string) {
  const isNear = url.startsWith('/oauth/') || url.startsWith('/.well-known/o')
  if (!isNear || !oidc.isOn) return undefined
  const [path] = url.split('?', 1)
  const [name, route] = byPath.get(path.replace(/^(\/oauth\/authorize)\/[\w-]+$/, '$1/:uid')) ?? []
  return route && { name: name as keyof typeof PROVIDER_ROUTES, ...route }
}

const advertised = new Map(Object.entries(ADVERTISED_PATHS).map(([name, path]) => [path, name]))

/** Returns the provider's name of the route, even if our own code answers it. */
export function openidRouteName(url: string) {
  const [path] = url.split('?', 1)
  return findProviderRoute(url)?.name ?? (oidc.isOn ? advertised.get(path) : undefined)
}
