import oidc from '#config/oidc'
import { ADVERTISED_PATHS, PROVIDER_ROUTES } from '#start/routes/oauth'
import type { ApiRoute } from './routes.ts'

/* The router has no route for the endpoints of the OpenID provider. */

type Described = Pick<ApiRoute, 'method' | 'pattern' | 'operationId' | 'token'>

const { end_session: logout } = ADVERTISED_PATHS

const ROUTES: Described[] = [
  read('discovery', 'discoveryOpenid'),
  read('metadata', 'discoveryOauth'),
  read('authorization', 'oauthAuthorize'),
  asClient('pushed_authorization_request', 'oauthPushRequest'),
  asClient('token', 'oauthToken'),
  asClient('device_authorization', 'oauthAuthorizeDevice'),
  { ...read('userinfo', 'oauthUserinfo'), token: 'required' },
  asClient('revocation', 'oauthRevoke'),
  { method: 'GET', pattern: logout, operationId: 'oauthLogout', token: 'none' },
]

function read(name: keyof typeof PROVIDER_ROUTES, operationId: string): Described {
  return { method: 'GET', pattern: PROVIDER_ROUTES[name].path, operationId, token: 'none' }
}

function asClient(name: keyof typeof PROVIDER_ROUTES, operationId: string): Described {
  return { method: 'POST', pattern: PROVIDER_ROUTES[name].path, operationId, token: 'client' }
}

export function providerRoutes(): ApiRoute[] {
  if (!oidc.isOn) return []
  return ROUTES.map((route) => ({
    ...route,
    key: `${route.method} ${route.pattern}`,
    needsAdmin: false,
    takesJson: false,
    isOfProvider: true,
  }))
}
