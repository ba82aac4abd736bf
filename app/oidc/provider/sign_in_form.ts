import type { IncomingMessage } from 'node:http'
import type { Context } from 'oidc-provider'
import limits from '#config/limits'
import { isMetadataUrl } from '#oidc/clients/metadata_url'
import { canBeIntercepted } from '#oidc/clients/redirect_uris'
import { hasPrompt } from './freshness.ts'

const pages = new WeakMap<IncomingMessage, { path: string; isStored: boolean }>()

/** The sign-in page that answers an authorization request. */
export function signInPageOf(request: IncomingMessage) {
  return pages.get(request)
}

export function needsSignInForm({ oidc }: Context) {
  return !oidc.session.accountId && ['authorization', 'resume'].includes(oidc.route)
}

export function rememberSignIn(ctx: Context) {
  const repeated = repeatedPath(ctx)
  const { params, entities } = ctx.oidc
  const next = repeated ?? `/oauth/interaction/${entities.Interaction.uid}`
  const query = new URLSearchParams({ next })
  if (params.ui_locales) query.set('ui_locales', params.ui_locales)
  pages.set(ctx.req, { path: `/sign-in?${query}`, isStored: repeated === null })
}

/**
 * Returns the path of this request, which the browser repeats after the sign-in. Returns null if
 * the request needs proof from this sign-in: that it is newer, or that its page named the host.
 */
export function repeatedPath(ctx: Context) {
  const { client, entities, params, route } = ctx.oidc
  const isPlain = route === 'authorization' && ctx.method === 'GET'
  if (!isPlain || entities.PushedAuthorizationRequest || params.max_age !== undefined) return null
  if (hasPrompt(params, 'login') || hasPrompt(params, 'select_account')) return null
  const isPublic = client.clientAuthMethod === 'none'
  if (isMetadataUrl(client.clientId) || canBeIntercepted(params.redirect_uri, isPublic)) return null
  const path = ctx.req.url!
  return path.length <= limits.repeatedRequest ? path : null
}
