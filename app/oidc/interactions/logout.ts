import { decodeJwt } from 'jose'
import db from '@adonisjs/lucid/services/db'
import settings from '#config/oidc'
import { endSession } from '#auth/sessions/sessions'
import { record } from '#events/record'
import { oidcProvider } from '#oidc/provider/provider'
import { endGrant } from '#oidc/grants/end_grants'
import { selectGrants } from '#oidc/records/grant_rows'
import type { Client } from 'oidc-provider'
import type { Actor } from '#audit/actor'

export interface LogoutRequest {
  idTokenHint?: string
  clientId?: string
  postLogoutRedirectUri?: string
  state?: string
}

export interface CheckedLogout {
  name: string | null
  url: string | null
}

/** Redirects only to a registered address. @returns the address, or why the request is refused */
export async function checkLogout(
  request: LogoutRequest
): Promise<CheckedLogout | { reason: string }> {
  const clientId = clientIdOf(request)
  if (clientId === null) return { reason: 'invalid_request' }
  const client = clientId ? await oidcProvider().Client.find(clientId) : undefined
  if (clientId && !client) return { reason: 'unknown_client' }
  const { postLogoutRedirectUri: uri, state } = request
  if (!client || !uri) return { name: client?.clientName ?? null, url: null }
  return isAllowed(client, uri)
    ? { name: client.clientName, url: withState(uri, state) }
    : { reason: 'redirect_uri' }
}

/**
 * The user is asked anyway: the audience of a hint counts though its key is revoked. A hint for
 * another client is refused (RP-Initiated Logout, section 2).
 */
function clientIdOf({ idTokenHint, clientId }: LogoutRequest) {
  const audience = idTokenHint && audienceOf(idTokenHint)
  if (!clientId || !audience) return clientId ?? audience
  return clientId === audience ? clientId : null
}

function audienceOf(idToken: string) {
  try {
    const { iss, aud } = decodeJwt(idToken)
    return iss === settings.issuer && typeof aud === 'string' ? aud : undefined
  } catch {
    return undefined
  }
}

function isAllowed(client: Client, uri: string) {
  return client.postLogoutRedirectUriAllowed(uri)
}

function withState(uri: string, state?: string) {
  const url = new URL(uri)
  if (state !== undefined) url.searchParams.set('state', state)
  return url.href
}

export async function logOut(userId: string, webSessionId: string, actor: Actor) {
  await db.transaction(async (trx) => {
    if (!(await endSession(userId, webSessionId, trx))) return
    const grants = await selectGrants({ user_id: userId, web_session_id: webSessionId }, trx)
    for (const { grantId } of grants) await endGrant(userId, grantId, trx)
    const details = { sessionId: webSessionId, endedSessions: grants.length + 1 }
    await record(trx, { type: 'session.ended', user: { id: userId }, actor, details })
  })
}
