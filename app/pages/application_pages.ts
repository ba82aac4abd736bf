import type { HttpContext } from '@adonisjs/core/http'
import type { Interaction } from 'oidc-provider'
import { hostOf } from '#oidc/clients/redirect_uris'
import { oidcProvider } from '#oidc/provider'

/** The name of the application that an interaction is about. */
export async function applicationOf({ params }: Interaction) {
  const client = await oidcProvider().Client.find(params.client_id)
  return { name: client?.clientName ?? params.client_id, clientId: params.client_id as string }
}

/** What an application asks for, as the page of the consent says it. */
export function requestOf({ params }: Interaction) {
  const resources: string[] = [params.resource ?? []].flat()
  return {
    scopes: (params.scope ?? '').split(' ').filter(Boolean) as string[],
    resources,
    hosts: resources.map(hostOf),
    redirectHost: params.redirect_uri ? hostOf(params.redirect_uri) : null,
  }
}

/**
 * Leads the browser back to the application from a page of its own: a redirect that follows a
 * form would have to stay on this site (`form-action` of the content security policy).
 */
export function leadTo({ view }: HttpContext, url: string, name: string) {
  return view.render('applications/lead', { url, name, refresh: `0; url=${url}` })
}

/** A page that says why an authorization does not go on. */
export function renderStop(
  ctx: HttpContext,
  { reason, ...about }: { reason: string; name?: string; action?: string | null }
) {
  const page = { name: '', action: null, ...about, reason, requestId: ctx.request.id() }
  return ctx.view.render('applications/stop', page)
}
