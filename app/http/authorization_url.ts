import type { HttpContext } from '@adonisjs/core/http'
import { getProviderOrFail } from '#auth/external/providers'
import { redirectUri } from '#auth/external/redirect_uri'
import { saveAuthorizationRequest, type AuthorizationGoal } from './authorization_request_cookie.ts'

export type LoginGoal = Omit<AuthorizationGoal, 'provider'>

export async function authorizationUrl(ctx: HttpContext, name: string, goal: LoginGoal) {
  const provider = await getProviderOrFail(name)
  const pending = saveAuthorizationRequest(ctx, { provider: provider.name, ...goal })
  return provider.authorizationUrl(pending, redirectUri(provider.name))
}
