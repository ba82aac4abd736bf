import db from '@adonisjs/lucid/services/db'
import { record } from '#events/record'
import { endGrant } from '#oidc/grants/end_grants'
import { signOut } from '#oidc/grants/sign_out'
import { oidcProvider } from '#oidc/provider/provider'
import { findBeginning } from '#oidc/records/grant_rows'
import { readIdTokenHint, type ReadHint } from '#oidc/tokens/id_token_hint'
import { sentAddress } from '#oidc/refusals/sent'
import type { Refusal } from '#oidc/refusals/record_refusal'
import type { Client } from 'oidc-provider'
import type { Actor } from '#audit/actor'
import type { WebCaller } from '#auth/sessions/web_session'

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
  /** Null where nothing proves who asks. */
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
  return { clientId, reason: 'post_logout_redirect_uri', sent: sentAddress(uri) }
}

/** Undefined for an address that is not registered. */
function returnUrl(client: Client, { postLogoutRedirectUri: uri, state }: LogoutRequest) {
  if (!uri) return null
  return client.postLogoutRedirectUriAllowed(uri) ? withState(uri, state) : undefined
}

function withState(uri: string, state?: string) {
  const url = new URL(uri)
  if (state !== undefined) url.searchParams.set('state', state)
  return url.href
}

type Ended = 'everything' | 'own' | 'nothing'

interface LogoutSource {
  browserId: string | null
  actor: Actor
}

/**
 * The ID token of a session that began in this browser shows who asks: an attacker has none. A third
 * party ends its own session alone.
 */
export async function logOutByHint(
  { hint, isFirstParty }: CheckedLogout,
  { user, session }: WebCaller,
  { browserId, actor }: LogoutSource
): Promise<Ended> {
  if (!hint?.isVerified || !hint.sid || hint.sub !== user.id) return 'nothing'
  const began = await findBeginning(hint.sid)
  const isSameSession = began?.webSessionId === session.id
  const isSameBrowser = browserId !== null && began?.browserId === browserId
  if (!began || !(isSameSession || isSameBrowser)) return 'nothing'
  const isLeft = isFirstParty && (isSameSession || began.isOffline)
  if (!isLeft) await endOwnSession(user.id, hint.sid, actor)
  if (!isFirstParty) return 'own'
  await signOut(session, actor)
  return 'everything'
}

async function endOwnSession(userId: string, sessionId: string, actor: Actor) {
  await db.transaction(async (trx) => {
    if (!(await endGrant(userId, sessionId, trx))) return
    await record(trx, {
      type: 'session.ended',
      user: { id: userId },
      actor,
      details: { sessionId },
    })
  })
}
