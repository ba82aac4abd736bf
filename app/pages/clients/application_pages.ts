import type { HttpContext } from '@adonisjs/core/http'
import type { Interaction } from 'oidc-provider'
import { findInteraction } from '#oidc/interactions/interactions'
import { COOKIES } from '#oidc/provider/cookies'
import { hostOf, isLoopback } from '#oidc/clients/redirect_uris'
import { isMetadataUrl } from '#oidc/clients/metadata_url'
import { oidcProvider } from '#oidc/provider/provider'
import { accessOf, shownScopes } from '#oidc/consents/requested_access'
import { refusedApplication } from './refused_application.ts'
import type { OwnMetadata } from '#oidc/clients/metadata'

export function interactionOf({ request, params }: HttpContext) {
  return findInteraction(params.uid, request.plainCookie(COOKIES.interaction, { encoded: false }))
}

export function renderExpired(ctx: HttpContext) {
  ctx.response.status(404)
  return renderStop(ctx, { reason: 'expired' })
}

/** An unregistered application chooses its own name, so the page names it by its host. */
export async function applicationOf({ params }: Interaction) {
  const clientId: string = params.client_id
  const client = await oidcProvider().Client.find(clientId)
  const own: Partial<OwnMetadata> = client?.gatehouse ?? {}
  const { claimedName = null, homeUrl = null, logo = null } = own
  const isDocumentClient = isMetadataUrl(clientId)
  const name = client?.clientName ?? clientId
  return { name, clientId, claimedName, homeUrl, logo, isDocumentClient }
}

export async function requestOf({ params }: Interaction) {
  const client = await oidcProvider().Client.find(params.client_id)
  const access = accessOf(client, params)
  return {
    access,
    scopes: shownScopes(access),
    hosts: access.resources.map(hostOf),
    ...targetOf(params.redirect_uri),
  }
}

export function targetOf(redirectUri?: string) {
  const url = redirectUri ? new URL(redirectUri) : null
  const isLocal = url !== null && isLoopback(url)
  const isUnencrypted = url?.protocol === 'http:' && !isLocal
  return { redirectHost: redirectUri ? hostOf(redirectUri) : null, isLocal, isUnencrypted }
}

/**
 * A redirect after a form must stay on this site (`form-action` of the content security policy);
 * this page leads to the application.
 */
export function renderInterstitial({ view }: HttpContext, url: string, name: string) {
  return view.render('applications/lead', { url, name, refresh: `0; url=${url}` })
}

interface Stop {
  reason: string
  name?: string
  action?: string | null
  detail?: string | null
}

export async function renderStop(ctx: HttpContext, { reason, ...about }: Stop) {
  const page = {
    name: '',
    action: null,
    detail: null,
    ...about,
    reason,
    requestId: ctx.request.id(),
    refused: await refusedApplication(ctx),
  }
  return ctx.view.render('applications/stop', page)
}
