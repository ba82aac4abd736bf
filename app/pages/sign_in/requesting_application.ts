import limits from '#config/limits'
import { appUrl } from '#config/app'
import oidc from '#config/oidc'
import { AUTHORIZATION, INTERACTION } from './next_path.ts'
import type { HttpContext } from '@adonisjs/core/http'

const ADDRESS = /^[^\s@\p{Cc}]+@[^\s@\p{Cc}]+$/u

export interface RequestingApplication {
  name: string
  host: string | null
  isLocal: boolean
  loginHint: string | null
}

/**
 * Returns null where the sign-in leads elsewhere: the provider is loaded only for applications.
 * The name grants no access: the interaction checks its cookie, and a repeated request is checked
 * again.
 */
export async function requestingApplication(next: string): Promise<RequestingApplication | null> {
  const [, uid] = INTERACTION.exec(next) ?? []
  if (!oidc.isOn) return null
  if (uid) return ofInteraction(uid)
  return AUTHORIZATION.test(next) ? ofRequest(new URL(next, appUrl).searchParams) : null
}

async function ofInteraction(uid: string) {
  const { oidcProvider } = await import('#oidc/provider/provider')
  const { applicationOf, requestOf } = await import('#pages/clients/application_pages')
  const interaction = await oidcProvider().Interaction.find(uid)
  if (!interaction) return null
  const { name } = await applicationOf(interaction)
  const { redirectHost, isLocal } = await requestOf(interaction)
  return { name, host: redirectHost, isLocal, loginHint: addressIn(interaction.params.login_hint) }
}

/** An attacker can write any request into the address: a wrong one names no application. */
async function ofRequest(params: URLSearchParams) {
  const { findRepeatedRequest } = await import('#oidc/interactions/repeated_request')
  const { targetOf } = await import('#pages/clients/application_pages')
  const request = await findRepeatedRequest(params)
  if (!request) return null
  const { redirectHost, isLocal } = targetOf(request.redirectUri)
  const loginHint = addressIn(params.get('login_hint'))
  return { name: request.client.clientName, host: redirectHost, isLocal, loginHint }
}

/** Users sign in by their address, so they would have to delete any other hint. */
function addressIn(hint: unknown) {
  const isAddress = typeof hint === 'string' && hint.length <= limits.email && ADDRESS.test(hint)
  return isAddress ? hint : null
}

/**
 * After a form, a page leads to the application, because browsers apply `form-action` to each
 * redirect that follows the form.
 */
export async function openNext(ctx: HttpContext, next: string) {
  const isForm = ctx.request.method() === 'POST'
  const application = isForm && AUTHORIZATION.test(next) && (await requestingApplication(next))
  if (!application) return ctx.response.redirect().status(303).toPath(next)
  return redirectToApplication(ctx, { location: next, name: application.name })
}

export async function redirectToApplication(
  ctx: HttpContext,
  { location, name }: { location: string; name: string }
) {
  const { renderInterstitial } = await import('#pages/clients/application_pages')
  return renderInterstitial(ctx, location, name)
}
