import oidc from '#config/oidc'
import type { ApiRoute } from './routes.ts'

/*
 | The endpoints of the OpenID provider, which its library answers before the router
 | (`app/oidc/provider/paths.ts`).
 */

const ROUTES: Pick<ApiRoute, 'method' | 'pattern' | 'operationId' | 'token'>[] = [
  read('/.well-known/openid-configuration', 'discoveryOpenid'),
  read('/.well-known/oauth-authorization-server', 'discoveryOauth'),
  read('/oauth/authorize', 'oauthAuthorize'),
  asClient('/oauth/par', 'oauthPushRequest'),
  asClient('/oauth/token', 'oauthToken'),
  asClient('/oauth/device/authorization', 'oauthAuthorizeDevice'),
  { ...read('/oauth/userinfo', 'oauthUserinfo'), token: 'required' },
  asClient('/oauth/revoke', 'oauthRevoke'),
  read('/oauth/logout', 'oauthLogout'),
]

function read(pattern: string, operationId: string) {
  return { method: 'GET', pattern, operationId, token: 'none' as const }
}

function asClient(pattern: string, operationId: string) {
  return { method: 'POST', pattern, operationId, token: 'client' as const }
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
