import { oidcProvider } from '#oidc/provider/provider'
import { readIdTokenHint, type ReadHint } from '#oidc/tokens/id_token_hint'
import { redactAddress } from '#oidc/refusals/sent'
import type { Refusal } from '#oidc/refusals/record_refusal'
import type { Client } from 'oidc-provider'

export interface LogoutRequest {
  idTokenHint?: string
  clientId?: string
  postLogoutRedirectUri?: string
  state?: string
}

export interface CheckedLogout {
  name: string | null
  url: string | null
  isFirstParty: boolean
  /** Null if nothing proves who asks. */
  hint: ReadHint | null
  /** The hint is malformed or forged: the browser is not sent back. */
  isUnreadable: boolean
}

export interface RefusedLogout {
  reason: string
  refused?: Refusal
}

/** Redirects only to a registered address. @returns the address, or why the request is refused */
export async function checkLogout(request: LogoutRequest): Promise<CheckedLogout | RefusedLogout> {
  const { idTokenHint, clientId } = request
  const hint = idTokenHint === undefined ? null : await readIdTokenHint(idTokenHint)
  const isUnreadable = idTokenHint !== undefined && hint === null
  /** RP-Initiated Logout 1.0, section 2. */
  if (hint && clientId && hint.aud !== clientId) return { reason: 'logout_client' }
  const id = clientId ?? hint?.aud
  const client = id ? await oidcProvider().Client.find(id) : undefined
  if (id && !client) return { reason: 'unknown_client', refused: refusalOf(id, request) }
  const url = client && !isUnreadable ? returnUrl(client, request) : null
  if (url === undefined) return { reason: 'redirect_uri', refused: refusalOf(id!, request) }
  const isFirstParty = client?.gatehouse.kind === 'first_party'
  return { name: client?.clientName ?? null, url, isFirstParty, hint, isUnreadable }
}

function refusalOf(clientId: string, { postLogoutRedirectUri: uri }: LogoutRequest): Refusal {
  return { clientId, reason: 'post_logout_redirect_uri', sent: redactAddress(uri) }
}

/** Returns undefined for an address that is not registered. */
function returnUrl(client: Client, { postLogoutRedirectUri: uri, state }: LogoutRequest) {
  if (!uri) return null
  return client.postLogoutRedirectUriAllowed(uri) ? withState(uri, state) : undefined
}

function withState(uri: string, state?: string) {
  const url = new URL(uri)
  if (state !== undefined) url.searchParams.set('state', state)
  return url.href
}
